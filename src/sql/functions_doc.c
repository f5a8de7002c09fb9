/*
 * sql/functions_doc.c - a tool: the function table as a page of documentation
 *
 *   functions_doc              print the page (docs/functions.md)
 *   functions_doc --check FILE fail unless FILE holds exactly that, saying where it parts and which command makes it anew
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sql/functions.h"
#include "sql/sql.h"

static const char command[] = "meson compile -C build functions_doc && build/src/sql/functions_doc > docs/functions.md";

static const char head[] =
    "# Functions\n"
    "\n"
    "Made from the function table (`src/sql/functions_*.c`) by `src/sql/functions_doc.c`; do not edit. To make it anew:\n"
    "\n"
    "    %s\n"
    "\n"
    "A test fails while this page is not what the table says. %d names. Operators, CAST, CASE and the like are grammar and are not listed; table functions\n"
    "(`read_files`, `range`) neither.\n"
    "\n"
    "In a signature, `[]` encloses what may be left out and `...` repeats the argument before it. A type takes what Spark casts to it; `any` takes every type;\n"
    "`number`, `integral`, `array` (`list`: but NULL), `map`, `struct`, `interval`, `orderable` and `nested` (an array or a struct) every type of that class; arguments of one letter (`T`) get one common type; `T[]`\n"
    "and `string[]` are arrays. A result `#1` has the type of the first argument; without a result, the type follows from the arguments as Spark has it.\n"
    "\n"
    "*May fail*: can raise an error on a row, as in Spark's ANSI mode. *Deterministic*: *yes*, the same arguments give the same result; *batch*, one value for a\n"
    "whole batch; *order*, depends on the order of the rows, which only ORDER BY settles; *no*, each call is evaluated for itself.\n";

static const struct kind {
    const char *title;
    unsigned flag; /* 0: none of the others */
} kinds[] = {
    {"Scalar functions", 0},
    {"Aggregate functions (also with OVER)", FN_AGGREGATE},
    {"Window functions (only with OVER)", FN_WINDOW},
    {"Generators (make rows)", FN_GENERATOR},
};

static const char *deterministic(unsigned flags)
{
    return flags & FN_RANDOM ? "no" : flags & FN_CLOCK ? "batch" : flags & FN_ORDER_SENSITIVE ? "order" : "yes";
}

/* "any, int ->" of f as "f(any, int)", "string -> int" as "f(string) -> int". Generators give rows: their result says nothing. */
static void put_signature(StrBuf *out, const SqlFunction *f)
{
    const char *arrow = strstr(f->signature, "->");
    silt_assert(arrow);
    Str arguments = str_trim((Str){f->signature, (size_t)(arrow - f->signature)}), result = str_trim(str_of(arrow + 2));

    str_buf_printf(out, "`%s(%.*s)", f->name, (int)arguments.size, arguments.ptr);
    if (result.size && !(f->flags & FN_GENERATOR))
        str_buf_printf(out, " -> %.*s", (int)result.size, result.ptr);
    str_buf_putc(out, '`');
}

/* What EXTRACT and the like are made of is not for users. */
static bool is_inner(const char *name)
{
    return !strncmp(name, "silt_", 5);
}

static void put_kind(StrBuf *out, const struct kind *kind, const char *const *names, int count)
{
    const unsigned all = FN_AGGREGATE | FN_WINDOW | FN_GENERATOR;

    str_buf_printf(out, "\n## %s\n\n| name | signature | may fail | deterministic |\n| --- | --- | --- | --- |\n", kind->title);
    for (int i = 0; i < count; i++)
        for (const SqlFunction *f = sql_function_find(names[i]); f->name && !strcmp(f->name, names[i]); f++) {
            if ((f->flags & all) != kind->flag || is_inner(f->name))
                continue;
            str_buf_printf(out, "| %s | ", f->name);
            put_signature(out, f);
            str_buf_printf(out, " | %s | %s |\n", f->flags & FN_MAY_FAIL ? "yes" : "", deterministic(f->flags));
        }
}

/* Those with one reason stand on one line. */
static void put_missing(StrBuf *out)
{
    const char *why, *next_why;
    Str name, next;
    bool starts = true;

    str_buf_puts(out, "\n## Not there yet\n\nAll other functions of Spark 4.2 (`src/sql/functions_missing.c`). A query that calls one is refused by name.\n\n");
    for (int i = 0; sql_function_missing_at(i, &name, &why); i++) {
        bool ends = !sql_function_missing_at(i + 1, &next, &next_why) || next_why != why;

        str_buf_printf(out, "%s`%.*s`", starts ? "- " : ", ", (int)name.size, name.ptr);
        if (ends)
            str_buf_printf(out, ": %s\n", why);
        starts = ends;
    }
}

static int check(const char *path, const char *want)
{
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t capacity = 0;
    ssize_t size;
    int number = 0;
    bool same = file != NULL;

    if (!file)
        perror(path);
    while (same && (size = getline(&line, &capacity, file)) > 0) {
        number++;
        same = !strncmp(line, want, (size_t)size);
        if (same)
            want += size;
    }
    if (same && *want) {
        number++;
        same = false;
    }
    if (file)
        fclose(file);
    free(line);
    if (same)
        return 0;
    fprintf(stderr, "%s:%d: not what the function table says", path, number);
    if (*want)
        fprintf(stderr, "; expected here: %.*s", (int)strcspn(want, "\n"), want);
    fprintf(stderr, "\nto make it anew: %s\n", command);
    return 1;
}

int main(int argc, char **argv)
{
    silt_auto(str_buf_fini) StrBuf page = {0};
    const char *const *names;
    int all = sql_function_names(&names), count = 0;

    if (argc != 1 && (argc != 3 || strcmp(argv[1], "--check"))) {
        fprintf(stderr, "usage: functions_doc [--check FILE]\n");
        return 2;
    }
    for (int i = 0; i < all; i++)
        count += !is_inner(names[i]);
    str_buf_printf(&page, head, command, count);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        put_kind(&page, &kinds[k], names, all);
    put_missing(&page);
    if (argc == 3)
        return check(argv[2], str_buf_text(&page));
    fputs(str_buf_text(&page), stdout);
    return 0;
}
