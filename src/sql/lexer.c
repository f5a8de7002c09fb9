/*
 * sql/lexer.c - from text to tokens with positions
 *
 * Spark's lexical rules: words of letters, digits and _ (also starting with a digit), `quoted names`, strings in either quote with
 * escapes, raw strings, numbers with suffixes, nested comments. Everything is taken apart at once, for the parser looks ahead freely.
 *
 *   L1  Tokens stand in the order of the text and do not overlap; the last one is TOK_END.
 *   L2  Columns count code points from 1, lines from 1; \n ends a line.
 *   L3  An error token begins where the faulty thing begins (an open quote, not the end of the file).
 */
#include "sql/lexer.h"

#include <string.h>

static const char *const keyword_texts[KEYWORD_COUNT] = {
    "",
#define KEYWORD_TEXT(word) #word,
    SQL_KEYWORDS(KEYWORD_TEXT)
#undef KEYWORD_TEXT
};

const char *sql__keyword_text(Keyword keyword)
{
    return keyword_texts[keyword];
}

Keyword sql__keyword_find(const char *ptr, size_t size)
{
    char upper[16];
    if (size >= sizeof upper)
        return KW_NONE;
    for (size_t i = 0; i < size; i++)
        upper[i] = ptr[i] >= 'a' && ptr[i] <= 'z' ? (char)(ptr[i] - 32) : ptr[i];
    upper[size] = 0;
    int low = 1, high = KEYWORD_COUNT - 1;
    while (low <= high) {
        int middle = (low + high) / 2;
        int order = strcmp(upper, keyword_texts[middle]);
        if (order == 0)
            return (Keyword)middle;
        if (order < 0)
            high = middle - 1;
        else
            low = middle + 1;
    }
    return KW_NONE;
}

typedef struct Lexer {
    Arena *arena;
    Lexed *out;
    const char *start, *at, *end;
    int line, column;
    bool joined;
    int token_capacity, error_capacity, hint_capacity;
} Lexer;

/* Step over bytes of valid text up to `to`, counting lines and columns. */
static void advance(Lexer *lexer, const char *to)
{
    for (; lexer->at < to; lexer->at++) {
        if (*lexer->at == '\n') {
            lexer->line++;
            lexer->column = 1;
        } else if (((unsigned char)*lexer->at & 0xC0) != 0x80) {
            lexer->column++;
        }
    }
}

static Token *add(Lexer *lexer, TokenKind kind, const char *to)
{
    Token token = {.kind = kind, .joined = lexer->joined, .offset = (uint32_t)(lexer->at - lexer->start), .size = (uint32_t)(to - lexer->at),
                   .line = lexer->line, .column = lexer->column, .match = -1};
    for (const char *c = lexer->at; c < to && *c != '\n'; c++)
        token.length += ((unsigned char)*c & 0xC0) != 0x80;
    advance(lexer, to);
    lexer->joined = true;
    ARENA_PUSH(lexer->arena, lexer->out->tokens, lexer->out->count, lexer->token_capacity, token);
    return &lexer->out->tokens[lexer->out->count - 1];
}

static void add_error(Lexer *lexer, const char *to, int length, const char *message, const char *hint)
{
    Token *token = add(lexer, TOK_ERROR, to);
    token->length = length;
    token->match = lexer->out->error_count;
    LexError error = {message, hint};
    ARENA_PUSH(lexer->arena, lexer->out->errors, lexer->out->error_count, lexer->error_capacity, error);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static uint32_t decode(const char *ptr, int length)
{
    const unsigned char *b = (const unsigned char *)ptr;
    switch (length) {
    case 1:
        return b[0];
    case 2:
        return (uint32_t)(b[0] & 0x1F) << 6 | (b[1] & 0x3F);
    case 3:
        return (uint32_t)(b[0] & 0x0F) << 12 | (uint32_t)(b[1] & 0x3F) << 6 | (b[2] & 0x3F);
    default:
        return (uint32_t)(b[0] & 0x07) << 18 | (uint32_t)(b[1] & 0x3F) << 12 | (uint32_t)(b[2] & 0x3F) << 6 | (b[3] & 0x3F);
    }
}

/* Blanks and punctuation beyond ASCII, which no name begins with or holds unquoted. */
static bool is_foreign_sign(uint32_t c)
{
    return c < 0xC0 ? c != 0xAA && c != 0xB5 && c != 0xBA : c == 0xD7 || c == 0xF7 || (c >= 0x2000 && c <= 0x206F) || (c >= 0x2190 && c <= 0x2BFF) ||
           (c >= 0x3000 && c <= 0x303F && c != 0x3005 && c != 0x3007) || c == 0xFEFF || c == 0xFFFD || (c >= 0xFF00 && c <= 0xFF0F);
}

/* End of the word that starts at ptr; *foreign tells of letters beyond ASCII. */
static const char *word_end(const Lexer *lexer, const char *ptr, bool *foreign)
{
    while (ptr < lexer->end) {
        if (is_word(*ptr)) {
            ptr++;
            continue;
        }
        int length = (unsigned char)*ptr >= 0x80 ? utf8_length(ptr, lexer->end) : 0;
        if (!length || is_foreign_sign(decode(ptr, length)))
            break;
        *foreign = true;
        ptr += length;
    }
    return ptr;
}

/* Blanks and comments. Stops at a token, at the end, or at a comment that is never closed (added as an error up to the end). */
static void skip_blank(Lexer *lexer)
{
    while (lexer->at < lexer->end) {
        const char *c = lexer->at;
        if (*c == ' ' || *c == '\t' || *c == '\n' || *c == '\r' || *c == '\f' || *c == '\v') {
            advance(lexer, c + 1);
        } else if (c[0] == '-' && c + 1 < lexer->end && c[1] == '-') {
            while (c < lexer->end && *c != '\n')
                c += *c == '\\' && c + 1 < lexer->end && c[1] == '\n' ? 2 : 1; /* as in Spark, a backslash goes on in the next line */
            advance(lexer, c);
        } else if (c[0] == '/' && c + 1 < lexer->end && c[1] == '*') {
            bool hint = c + 2 < lexer->end && c[2] == '+';
            int depth = 0;
            do {
                if (c[0] == '/' && c + 1 < lexer->end && c[1] == '*') {
                    depth++;
                    c += 2;
                } else if (c[0] == '*' && c + 1 < lexer->end && c[1] == '/') {
                    depth--;
                    c += 2;
                } else {
                    c++;
                }
            } while (depth && c < lexer->end);
            if (depth) {
                add_error(lexer, lexer->end, 2, "comment is never closed", "Close it with */; comments nest, so each /* needs its own.");
                return;
            }
            if (hint) {
                Token token = {.line = lexer->line, .column = lexer->column, .length = 3};
                ARENA_PUSH(lexer->arena, lexer->out->hints, lexer->out->hint_count, lexer->hint_capacity, token);
            }
            advance(lexer, c);
        } else {
            return;
        }
        lexer->joined = false;
    }
}

/* First byte sequence in [ptr, to) that is not UTF-8, or NULL. */
static const char *bad_utf8(const char *ptr, const char *to)
{
    while (ptr < to) {
        int length = utf8_length(ptr, to);
        if (!length)
            return ptr;
        ptr += length;
    }
    return NULL;
}

static void add_bad_utf8(Lexer *lexer, const char *bad, const char *to)
{
    advance(lexer, bad);
    add_error(lexer, to, 1, arena_printf(lexer->arena, "invalid UTF-8: byte 0x%02X", (unsigned char)*bad), "Save the file as UTF-8.");
}

/* '..' or "..": a doubled quote and a backslash go on; raw: up to the next quote. ptr stands on the quote. */
static void lex_string(Lexer *lexer, const char *ptr, bool raw)
{
    char quote = *ptr;
    const char *c = ptr + 1;
    while (c < lexer->end) {
        if (*c == '\\' && !raw) {
            c += 2;
        } else if (*c == quote) {
            if (raw || c + 1 >= lexer->end || c[1] != quote)
                break;
            c += 2;
        } else {
            c++;
        }
    }
    if (c >= lexer->end) {
        add_error(lexer, lexer->end, (int)(ptr - lexer->at) + 1, "string is never closed",
                  quote == '\'' ? "Close it with '; inside of a string write '' or \\' for a quote."
                                : "Close it with \"; a name is quoted with backticks.");
        return;
    }
    const char *bad = bad_utf8(lexer->at, c + 1);
    if (bad)
        add_bad_utf8(lexer, bad, c + 1);
    else
        add(lexer, TOK_STRING, c + 1);
}

static void lex_backtick(Lexer *lexer)
{
    const char *c = lexer->at + 1;
    while (c < lexer->end && (*c != '`' || (c + 1 < lexer->end && c[1] == '`')))
        c += *c == '`' ? 2 : 1;
    if (c >= lexer->end) {
        add_error(lexer, lexer->end, 1, "quoted name is never closed", "Close it with a backtick; inside of the name write two for one.");
        return;
    }
    const char *bad = bad_utf8(lexer->at, c + 1);
    if (bad)
        add_bad_utf8(lexer, bad, c + 1);
    else if (c == lexer->at + 1)
        add_error(lexer, c + 1, 2, "name is empty", NULL);
    else if (memchr(lexer->at, 0, (size_t)(c - lexer->at)))
        add_error(lexer, c + 1, 1, "name holds a NUL character", NULL);
    else
        add(lexer, TOK_QUOTED, c + 1);
}

static const char *skip_digits(const char *c, const char *end)
{
    while (c < end && is_digit(*c))
        c++;
    return c;
}

/* Spark's choice among number and word is the longest; a number with a point ends where no letter follows. False: it is a word. */
static bool lex_number(Lexer *lexer)
{
    const char *end = lexer->end;
    bool foreign = false;
    const char *word = word_end(lexer, lexer->at, &foreign);
    const char *digits = skip_digits(lexer->at, end);
    const char *c = digits;
    bool point = c < end && *c == '.', exponent = false;
    if (point)
        c = skip_digits(c + 1, end);
    if (c < end && (*c == 'e' || *c == 'E')) {
        const char *e = c + 1;
        if (e < end && (*e == '+' || *e == '-'))
            e++;
        if (e < end && is_digit(*e)) {
            c = skip_digits(e, end);
            exponent = true;
        }
    }
    if (c < end) {
        char suffix = *c & ~0x20;
        if (suffix == 'F' || suffix == 'D' || (!point && !exponent && (suffix == 'L' || suffix == 'S' || suffix == 'Y')))
            c++;
        else if (suffix == 'B' && c + 1 < end && (c[1] & ~0x20) == 'D')
            c += 2;
    }
    bool followed = c < end && (is_word(*c) || (unsigned char)*c >= 0x80);
    if (followed || c < word) {
        if (!point || digits == lexer->at || word > digits)
            return false;
        c = digits; /* 1.x: the number 1, then .x */
    }
    add(lexer, c == digits ? TOK_INTEGER : TOK_NUMBER, c);
    return true;
}

static void lex_foreign(Lexer *lexer)
{
    int length = utf8_length(lexer->at, lexer->end);
    if (!length) {
        add_bad_utf8(lexer, lexer->at, lexer->at + 1);
        return;
    }
    uint32_t c = decode(lexer->at, length);
    const char *hint = NULL;
    if (c == 0xA0 || (c >= 0x2000 && c <= 0x200B) || c == 0x202F || c == 0x3000 || c == 0xFEFF)
        hint = "It looks like a blank but is none, often from copying out of a document: type a plain blank.";
    else if (c == 0x2018 || c == 0x2019 || c == 0x201C || c == 0x201D || c == 0x201E)
        hint = "This is a typographic quote: write ' or \".";
    else if (c == 0x2013 || c == 0x2014 || c == 0x2212)
        hint = "This is a typographic dash: write -.";
    add_error(lexer, lexer->at + length, 1, arena_printf(lexer->arena, "unexpected character U+%04X \"%.*s\"", c, length, lexer->at), hint);
}

static const struct {
    const char *text;
    TokenKind kind;
} signs[] = {/* longer ones first */
             {">>>", TOK_SHIFT_RIGHT_UNSIGNED}, {"<=>", TOK_NSEQ}, {"||", TOK_CONCAT}, {"|>", TOK_PIPE_OP}, {"<>", TOK_NE}, {"!=", TOK_NE},
             {"!<", TOK_GE}, {"!>", TOK_LE}, {"<=", TOK_LE}, {">=", TOK_GE}, {"==", TOK_EQ}, {"=>", TOK_FAT_ARROW}, {"->", TOK_ARROW},
             {"<<", TOK_SHIFT_LEFT}, {">>", TOK_SHIFT_RIGHT}, {"::", TOK_CAST}, {";", TOK_SEMICOLON}, {"(", TOK_LPAREN}, {")", TOK_RPAREN},
             {"[", TOK_LBRACKET}, {"]", TOK_RBRACKET}, {",", TOK_COMMA}, {".", TOK_DOT}, {"*", TOK_STAR}, {"+", TOK_PLUS}, {"-", TOK_MINUS},
             {"/", TOK_SLASH}, {"%", TOK_PERCENT}, {"|", TOK_PIPE}, {"&", TOK_AMPERSAND}, {"^", TOK_HAT}, {"~", TOK_TILDE}, {"!", TOK_BANG},
             {"=", TOK_EQ}, {"<", TOK_LT}, {">", TOK_GT}, {":", TOK_COLON}, {"@", TOK_AT}, {"?", TOK_QUESTION}};

static void lex_sign(Lexer *lexer)
{
    size_t left = (size_t)(lexer->end - lexer->at);
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        size_t size = strlen(signs[i].text);
        if (size <= left && !memcmp(lexer->at, signs[i].text, size)) {
            add(lexer, signs[i].kind, lexer->at + size);
            return;
        }
    }
    char c = *lexer->at;
    if (c == '$')
        add_error(lexer, lexer->at + 1, 1, "unexpected character \"$\"", "Variables like ${name} are not replaced in SQL; a name with $ needs backticks.");
    else if (c >= ' ' && c < 0x7F)
        add_error(lexer, lexer->at + 1, 1, arena_printf(lexer->arena, "unexpected character \"%c\"", c),
                  c == '"' || c == '\\' ? NULL : "A name with special characters needs backticks.");
    else
        add_error(lexer, lexer->at + 1, 1, arena_printf(lexer->arena, "unexpected character 0x%02X", (unsigned char)c),
                  c == 0 ? "The file does not seem to be text." : NULL);
}

/* Pair the parentheses within each statement. */
static void pair(Arena *arena, Lexed *out)
{
    int *open = NULL, depth = 0, capacity = 0;
    for (int i = 0; i < out->count; i++) {
        Token *token = &out->tokens[i];
        if (token->kind == TOK_SEMICOLON) {
            depth = 0;
        } else if (token->kind == TOK_LPAREN) {
            ARENA_PUSH(arena, open, depth, capacity, i);
        } else if (token->kind == TOK_RPAREN && depth) {
            token->match = open[--depth];
            out->tokens[token->match].match = i;
        }
    }
}

void sql__lex(Arena *arena, Str text, SiltPos start, Lexed *out)
{
    *out = (Lexed){.text = text};
    Lexer lexer = {.arena = arena, .out = out, .start = text.ptr, .at = text.ptr, .end = text.ptr + text.size, .line = start.line, .column = start.column};
    if (text.size >= 3 && !memcmp(text.ptr, "\xEF\xBB\xBF", 3))
        lexer.at += 3; /* byte order mark */
    for (;;) {
        lexer.joined = true;
        skip_blank(&lexer);
        if (lexer.at >= lexer.end)
            break;
        const char *c = lexer.at;
        bool more = c + 1 < lexer.end, foreign = false;
        if ((is_digit(*c) || (*c == '.' && more && is_digit(c[1]))) && lex_number(&lexer))
            continue;
        if (*c == '\'' || *c == '"') {
            lex_string(&lexer, c, false);
        } else if ((*c == 'r' || *c == 'R') && more && (c[1] == '\'' || c[1] == '"')) {
            lex_string(&lexer, c + 1, true);
        } else if (*c == '`') {
            lex_backtick(&lexer);
        } else {
            const char *to = word_end(&lexer, c, &foreign);
            if (to == c) {
                if ((unsigned char)*c >= 0x80)
                    lex_foreign(&lexer);
                else
                    lex_sign(&lexer);
                continue;
            }
            Token *token = add(&lexer, TOK_WORD, to);
            token->foreign = foreign;
            token->keyword = (uint16_t)sql__keyword_find(c, (size_t)(to - c));
        }
    }
    add(&lexer, TOK_END, lexer.end);
    pair(arena, out);
}

/* ---- string values ---- */

static int hex_value(const char *ptr, const char *end, int digits, uint32_t *out)
{
    uint32_t value = 0;
    if (end - ptr < digits)
        return 0;
    for (int i = 0; i < digits; i++) {
        char c = ptr[i];
        uint32_t digit = is_digit(c) ? (uint32_t)(c - '0') : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (uint32_t)((c | 0x20) - 'a' + 10) : 16;
        if (digit > 15)
            return 0;
        value = value << 4 | digit;
    }
    *out = value;
    return digits;
}

static int octal_value(const char *ptr, const char *end, uint32_t *out)
{
    if (end - ptr < 3 || (ptr[0] != '0' && ptr[0] != '1') || ptr[1] < '0' || ptr[1] > '7' || ptr[2] < '0' || ptr[2] > '7')
        return 0;
    *out = (uint32_t)((ptr[0] - '0') * 64 + (ptr[1] - '0') * 8 + (ptr[2] - '0'));
    return 3;
}

/* One escape, ptr behind the backslash. Returns what is wrong, or NULL with *ptr moved on. */
static const char *unescape(StrBuf *out, const char **ptr, const char *end)
{
    const char *c = *ptr;
    uint32_t code = 0, low = 0;
    int used = *c == 'u' ? hex_value(c + 1, end, 4, &code) : *c == 'U' ? hex_value(c + 1, end, 8, &code) : 0;
    if (used) {
        c += 1 + used;
        if (code >= 0xD800 && code <= 0xDBFF && end - c >= 6 && c[0] == '\\' && c[1] == 'u' && hex_value(c + 2, end, 4, &low) && low >= 0xDC00 &&
            low <= 0xDFFF) {
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
            c += 6;
        }
        *ptr = c;
        if (code > 0x10FFFF)
            return "escape \\U names no character: the largest is \\U0010FFFF";
        if (code >= 0xD800 && code <= 0xDFFF)
            code = '?'; /* half of a pair: what Java writes for it */
        utf8_put(out, code);
        return NULL;
    }
    if (octal_value(c, end, &code)) {
        utf8_put(out, code);
        *ptr = c + 3;
        return NULL;
    }
    static const char names[] = "0bnrtZ", values[] = "\0\b\n\r\t\x1A";
    const char *name = *c ? strchr(names, *c) : NULL;
    if (name) {
        str_buf_putc(out, values[name - names]);
    } else {
        if (*c == '%' || *c == '_')
            str_buf_putc(out, '\\'); /* left for LIKE */
        str_buf_putc(out, *c);
    }
    *ptr = c + 1;
    return NULL;
}

const char *sql__string_value(Arena *arena, Str token, Str *out)
{
    const char *c = token.ptr, *end = token.ptr + token.size - 1; /* without the closing quote */
    bool raw = *c != '\'' && *c != '"';
    char quote = raw ? c[1] : *c;
    c += raw ? 2 : 1;
    if (raw) {
        *out = arena_str(arena, (Str){c, (size_t)(end - c)});
        return NULL;
    }
    silt_auto(str_buf_fini) StrBuf buf = {0};
    while (c < end) {
        if (*c == '\\') {
            c++;
            const char *wrong = unescape(&buf, &c, end);
            if (wrong)
                return wrong;
        } else {
            str_buf_putc(&buf, *c);
            c += *c == quote ? 2 : 1;
        }
    }
    *out = arena_str(arena, str_buf_view(&buf));
    return NULL;
}
