/* sql/find.c - where words stand in a statement, for those who point at a clause that the tree does not place */
#include "sql/lexer.h"
#include "sql/sql.h"

#include <string.h>

/* Do the words and whole numbers, parted by blanks, stand here one behind the other? *last: the last of them. */
static bool stands_at(const Lexed *lexed, int token, const char *words, int *last)
{
    while (*words) {
        size_t size = strcspn(words, " ");
        const Token *at = &lexed->tokens[token];
        char word[64];
        if ((at->kind != TOK_WORD && at->kind != TOK_INTEGER) || size >= sizeof word)
            return false;
        memcpy(word, words, size);
        word[size] = 0;
        if (!str_is_nocase((Str){lexed->text.ptr + at->offset, at->size}, word))
            return false;
        *last = token++;
        words += size + (words[size] == ' ');
    }
    return true;
}

SiltPos sql_statement_find(Arena *arena, const Statement *statement, const char *words)
{
    Lexed lexed;
    int last = 0;

    sql__lex(arena, statement->text, (SiltPos){.line = 1, .column = 1}, &lexed);
    for (int i = 0; i < lexed.count; i++) {
        if (!stands_at(&lexed, i, words, &last))
            continue;
        const Token *first = &lexed.tokens[i], *end = &lexed.tokens[last];
        return (SiltPos){
            .file = statement->pos.file,
            .line = statement->pos.line + first->line - 1,
            .column = first->line == 1 ? statement->pos.column + first->column - 1 : first->column,
            .length = end->line == first->line ? end->column + end->length - first->column : first->length,
        };
    }
    return (SiltPos){0};
}
