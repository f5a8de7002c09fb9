/*
 * cli/output.c - rows to stdout as table, csv, tsv, json lines or one json array
 *
 *   csv        header, RFC 4180; NULL is an empty field, an empty text is ""
 *   tsv        header; tab, newline, carriage return and backslash as \t \n \r \\; NULL is \N
 *   json       an object a line, exact values (docs/cli.md)
 *   jsonarray  the same objects as one array
 *   table      for eyes: columns as wide as the first WIDTH_ROWS rows need, numbers to the right, NULL written out. A value of several lines
 *              stands on several lines if its column is the only one (plans)
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "cli/cli.h"

enum { WIDTH_ROWS = 2000 };

bool output_is_terminal(void)
{
    return isatty(STDOUT_FILENO);
}

/* Once stdout is gone (a full disk, a closed pipe) there is no point in reading on; main() says so. */
static bool broken(void)
{
    return ferror(stdout) != 0;
}

static void put(const char *text, size_t size)
{
    fwrite(text, 1, size, stdout);
}

/* The next row; what shows that a query runs gives way to the first. */
static SiltStatus next_row(SiltResult *result, SiltProblems **problems)
{
    SiltStatus status = silt_result_next(result, problems);

    query_bar_hide();
    return status;
}

/* ---- csv, tsv ---- */

static void put_csv(const char *text, size_t size)
{
    bool quote = size == 0;

    if (!text)
        return;
    for (size_t i = 0; i < size && !quote; i++)
        quote = text[i] == ',' || text[i] == '"' || text[i] == '\n' || text[i] == '\r';
    if (!quote) {
        put(text, size);
        return;
    }
    putchar('"');
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '"')
            putchar('"');
        putchar(text[i]);
    }
    putchar('"');
}

static void put_tsv(const char *text, size_t size)
{
    if (!text) {
        put("\\N", 2);
        return;
    }
    for (size_t i = 0; i < size; i++)
        switch (text[i]) {
        case '\t':
            put("\\t", 2);
            break;
        case '\n':
            put("\\n", 2);
            break;
        case '\r':
            put("\\r", 2);
            break;
        case '\\':
            put("\\\\", 2);
            break;
        default:
            putchar(text[i]);
        }
}

static SiltStatus output_separated(SiltResult *result, char comma, bool quiet, SiltProblems **problems)
{
    void (*put_value)(const char *, size_t) = comma == ',' ? put_csv : put_tsv;
    int columns = silt_result_column_count(result);
    SiltStatus status = next_row(result, problems);

    for (int i = 0; i < columns && !quiet; i++) {
        const char *name = silt_result_column_name(result, i);
        put_value(name, strlen(name));
        putchar(i + 1 < columns ? comma : '\n');
    }
    for (; status == SILT_DONE && !broken(); status = next_row(result, problems)) {
        for (int i = 0; i < columns; i++) {
            size_t size = 0;
            const char *text = silt_result_text(result, i, &size);
            put_value(text, size);
            putchar(i + 1 < columns ? comma : '\n');
        }
    }
    return status;
}

/* ---- json ---- */

static void put_json_key(const char *name)
{
    putchar('"');
    for (const unsigned char *p = (const unsigned char *)name; *p; p++) {
        if (*p == '"' || *p == '\\')
            printf("\\%c", *p);
        else if (*p < 0x20)
            printf("\\u%04x", *p);
        else
            putchar(*p);
    }
    putchar('"');
}

static SiltStatus output_json(SiltResult *result, bool array, SiltProblems **problems)
{
    int columns = silt_result_column_count(result);
    bool first = true;
    SiltStatus status = next_row(result, problems);

    if (array)
        putchar('[');
    for (; status == SILT_DONE && !broken(); status = next_row(result, problems)) {
        if (array && !first)
            put(",\n ", 3);
        first = false;
        putchar('{');
        for (int i = 0; i < columns; i++) {
            size_t size;
            const char *text = silt_result_json(result, i, &size);
            if (i > 0)
                putchar(',');
            put_json_key(silt_result_column_name(result, i));
            putchar(':');
            put(text, size);
        }
        putchar('}');
        if (!array)
            putchar('\n');
    }
    if (array)
        put("]\n", 2);
    return status;
}

/* ---- table ---- */

/* A cell as it is shown: control characters spelled out; lines: but for line ends, which stay. */
static char *cell_text(const char *text, size_t size, bool lines)
{
    if (!text)
        return cli_printf("NULL");
    char *out = cli_alloc(4 * size + 1), *at = out;
    int width;
    for (size_t i = 0; i < size;) {
        size_t bytes = text_character(text + i, size - i, &width);
        unsigned char c = (unsigned char)text[i];
        if (c == '\n' && lines)
            *at++ = '\n';
        else if (c == '\n')
            at = stpcpy(at, "\\n");
        else if (c == '\r')
            at = stpcpy(at, "\\r");
        else if (c == '\t')
            at = stpcpy(at, "\\t");
        else if (c < 0x20 || c == 0x7f)
            at += sprintf(at, "\\x%02x", c);
        else
            at = mempcpy(at, text + i, bytes);
        i += bytes;
    }
    *at = 0;
    return out;
}

static bool is_number(const char *type)
{
    static const char *const numbers[] = {"tinyint", "smallint", "int", "bigint", "float", "double"};

    for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
        if (strcmp(type, numbers[i]) == 0)
            return true;
    return strncmp(type, "decimal", 7) == 0;
}

/* Of the longest line. */
static int cell_width(const char *text)
{
    int widest = 0;

    for (const char *line = text; line;) {
        const char *end = strchr(line, '\n');
        int width = text_width(line, end ? (size_t)(end - line) : strlen(line));
        widest = width > widest ? width : widest;
        line = end ? end + 1 : NULL;
    }
    return widest;
}

static void put_lines(const char *text)
{
    for (const char *line = text; line;) {
        const char *end = strchr(line, '\n');
        printf(" %.*s\n", (int)(end ? end - line : (long)strlen(line)), line);
        line = end ? end + 1 : NULL;
    }
}

static void put_cell(const char *text, int width, bool right, bool last)
{
    int blanks = width - text_width(text, strlen(text));

    putchar(' ');
    for (int i = 0; right && i < blanks; i++)
        putchar(' ');
    fputs(text, stdout);
    for (int i = 0; !right && !last && i < blanks; i++)
        putchar(' ');
    fputs(last ? "\n" : " |", stdout);
}

static void put_row(char **cells, const int *widths, const bool *right, int columns)
{
    for (int i = 0; i < columns; i++) {
        if (columns == 1 && strchr(cells[i], '\n'))
            put_lines(cells[i]);
        else
            put_cell(cells[i], widths[i], right[i], i + 1 == columns);
        free(cells[i]);
    }
}

static void put_head(SiltResult *result, const int *widths, int columns)
{
    for (int i = 0; i < columns; i++) {
        char *name = cell_text(silt_result_column_name(result, i), strlen(silt_result_column_name(result, i)), false);
        put_cell(name, widths[i], false, i + 1 == columns);
        free(name);
    }
    for (int i = 0; i < columns; i++) {
        for (int k = 0; k < widths[i] + 2; k++)
            putchar('-');
        putchar(i + 1 == columns ? '\n' : '+');
    }
}

static SiltStatus output_table(SiltResult *result, bool quiet, SiltProblems **problems)
{
    int columns = silt_result_column_count(result);
    int *widths = cli_alloc((size_t)columns * sizeof(*widths));
    bool *right = cli_alloc((size_t)columns * sizeof(*right));
    char **held = cli_alloc((size_t)columns * WIDTH_ROWS * sizeof(*held));
    char **row = cli_alloc((size_t)columns * sizeof(*row));
    int64_t rows = 0;
    int held_rows = 0;
    SiltStatus status;

    for (int i = 0; i < columns; i++) {
        const char *name = silt_result_column_name(result, i);
        right[i] = is_number(silt_result_column_type(result, i));
        widths[i] = quiet ? 0 : text_width(name, strlen(name));
    }
    while ((status = next_row(result, problems)) == SILT_DONE && !broken()) {
        char **cells = held_rows < WIDTH_ROWS ? held + (size_t)held_rows * (size_t)columns : row;
        for (int i = 0; i < columns; i++) {
            size_t size = 0;
            const char *text = silt_result_text(result, i, &size);
            cells[i] = cell_text(text, size, columns == 1);
            int width = cell_width(cells[i]);
            if (cells != row && width > widths[i])
                widths[i] = width;
        }
        rows++;
        if (cells != row) {
            held_rows++;
            continue;
        }
        if (rows == WIDTH_ROWS + 1) {
            if (!quiet)
                put_head(result, widths, columns);
            for (int k = 0; k < held_rows; k++)
                put_row(held + (size_t)k * (size_t)columns, widths, right, columns);
        }
        put_row(row, widths, right, columns);
    }
    if (rows <= WIDTH_ROWS) {
        if (!quiet)
            put_head(result, widths, columns);
        for (int k = 0; k < held_rows; k++)
            put_row(held + (size_t)k * (size_t)columns, widths, right, columns);
    }
    if (!quiet && status == SILT_END)
        printf("(%lld row%s)\n\n", (long long)rows, rows == 1 ? "" : "s");
    free(widths);
    free(right);
    free(held);
    free(row);
    return status;
}

SiltStatus output_result(SiltResult *result, const char *format, bool quiet, SiltProblems **problems)
{
    *problems = NULL;
    if (!format)
        format = output_is_terminal() ? "table" : "csv";
    if (silt_result_column_count(result) == 0) { /* SET and the like: nothing to show, but it has to run to its end */
        SiltStatus status;
        while ((status = silt_result_next(result, problems)) == SILT_DONE)
            ;
        return status == SILT_END ? SILT_DONE : status;
    }
    SiltStatus status = strcmp(format, "json") == 0        ? output_json(result, false, problems)
                        : strcmp(format, "jsonarray") == 0 ? output_json(result, true, problems)
                        : strcmp(format, "csv") == 0       ? output_separated(result, ',', quiet, problems)
                        : strcmp(format, "tsv") == 0       ? output_separated(result, '\t', quiet, problems)
                                                           : output_table(result, quiet, problems);
    return status == SILT_END ? SILT_DONE : status;
}
