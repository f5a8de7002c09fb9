#pragma once
/* sql/lexer.h - from text to tokens with positions; private to this folder */
#include "base/arena.h"
#include "sql/keywords.h"

typedef enum TokenKind {
    TOK_END, /* of the text; the last token always */
    TOK_SEMICOLON,
    TOK_WORD,    /* unquoted name or keyword */
    TOK_QUOTED,  /* `name` */
    TOK_STRING,  /* '..', "..", r'..' */
    TOK_INTEGER, /* digits only */
    TOK_NUMBER,  /* any other number: 1.5, 1e3, 1L */
    TOK_ERROR,   /* not a token: the lexer's errors[match] says why */
    TOK_LPAREN,
    TOK_RPAREN,
    TOK_LBRACKET,
    TOK_RBRACKET,
    TOK_COMMA,
    TOK_DOT,
    TOK_STAR,
    TOK_PLUS,
    TOK_MINUS,
    TOK_SLASH,
    TOK_PERCENT,
    TOK_CONCAT, /* || */
    TOK_PIPE,
    TOK_AMPERSAND,
    TOK_HAT,
    TOK_TILDE,
    TOK_BANG,
    TOK_EQ,  /* = == */
    TOK_NSEQ, /* <=> */
    TOK_NE,  /* <> != */
    TOK_LT,
    TOK_LE, /* <= !> */
    TOK_GT,
    TOK_GE, /* >= !< */
    TOK_SHIFT_LEFT,
    TOK_SHIFT_RIGHT,
    TOK_SHIFT_RIGHT_UNSIGNED,
    TOK_ARROW,     /* -> */
    TOK_FAT_ARROW, /* => */
    TOK_COLON,
    TOK_CAST,     /* :: */
    TOK_PIPE_OP,  /* |> */
    TOK_AT,
    TOK_QUESTION,
} TokenKind;

typedef struct Token {
    uint8_t kind;     /* TokenKind */
    uint8_t joined;   /* no blank or comment before it */
    uint8_t foreign;  /* WORD: has a character beyond ASCII */
    uint16_t keyword; /* WORD: Keyword or KW_NONE */
    uint32_t offset, size; /* bytes in the text */
    int line, column, length; /* in characters; length of what stands on its first line */
    int match; /* LPAREN: index of its RPAREN, or -1; RPAREN: of its LPAREN, or -1; ERROR: index in errors */
} Token;

typedef struct LexError {
    const char *message, *hint; /* hint NULL: none */
} LexError;

typedef struct Lexed {
    Str text;
    Token *tokens; /* ends with TOK_END */
    int count;
    LexError *errors;
    int error_count;
    Token *hints; /* places of optimizer hints, skipped */
    int hint_count;
} Lexed;

/*
 * Take text apart. Never fails: what is no token becomes a TOK_ERROR with its reason, at its start, so that the statements around it
 * are still read. At most 1 GB of text.
 */
void sql__lex(Arena *arena, Str text, SiltPos start, Lexed *out);

/*
 * The value of a TOK_STRING: quotes taken off, escapes undone as Spark does. Returns NULL, or what is wrong with it.
 * out is arena memory with a NUL behind it.
 */
const char *sql__string_value(Arena *arena, Str token, Str *out);
