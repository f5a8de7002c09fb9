/* duck/failure.c - failures on their way through DuckDB, and DuckDB's own failures as ours */
#include "duck/internal.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PACK_START = 2, PACK_END = 3, PACK_NEXT = 31 };

/* The marks must not occur inside, and DuckDB insists on UTF-8. */
static size_t pack_field(char *out, const char *field)
{
    const char *end = field + strlen(field);
    size_t size = 0;
    while (field < end) {
        int length = utf8_length(field, end);
        if (length == 0) {
            out[size++] = '?';
            field++;
        } else if (*field == PACK_START || *field == PACK_END || *field == PACK_NEXT) {
            out[size++] = ' ';
            field++;
        } else {
            memcpy(out + size, field, (size_t)length);
            size += (size_t)length;
            field += length;
        }
    }
    out[size++] = PACK_NEXT;
    return size;
}

const char *duck__pack_failure(char text[DUCK_FAILURE_BYTES], const SiltErr *err)
{
    size_t size = (size_t)snprintf(text, 64, "%c%d%c%d%c%d%c%d%c", PACK_START, (int)err->kind, PACK_NEXT, err->line, PACK_NEXT, err->column,
                                   PACK_NEXT, err->length, PACK_NEXT);
    size += pack_field(text + size, err->code);
    size += pack_field(text + size, err->message);
    size += pack_field(text + size, err->hint);
    size += pack_field(text + size, err->file);
    text[size++] = PACK_END;
    text[size] = 0;
    return text;
}

static const char *unpack_int(const char *p, int *out)
{
    char *end;
    *out = (int)strtol(p, &end, 10);
    return *end == PACK_NEXT ? end + 1 : end;
}

static const char *unpack_field(const char *p, char *out, size_t capacity)
{
    size_t size = 0;
    for (; *p && *p != PACK_NEXT && *p != PACK_END; p++)
        if (size + 1 < capacity)
            out[size++] = *p;
    out[size] = 0;
    return *p == PACK_NEXT ? p + 1 : p;
}

static int unpack_failure(SiltErr *err, const char *packed, const char *file)
{
    if (!err)
        return -1;
    int kind;
    memset(err, 0, sizeof *err);
    const char *p = unpack_int(packed + 1, &kind);
    err->kind = (SiltErrKind)kind;
    p = unpack_int(p, &err->line);
    p = unpack_int(p, &err->column);
    p = unpack_int(p, &err->length);
    p = unpack_field(p, err->code, sizeof err->code);
    p = unpack_field(p, err->message, sizeof err->message);
    p = unpack_field(p, err->hint, sizeof err->hint);
    unpack_field(p, err->file, sizeof err->file);
    if (!*err->file && err->line && file)
        snprintf(err->file, sizeof err->file, "%s", file);
    return -1;
}

/* prepare() gives no type, only a text that starts with its name. */
static duckdb_error_type type_from_text(const char *text)
{
    static const struct {
        const char *prefix;
        duckdb_error_type type;
    } prefixes[] = {
        {"Binder", DUCKDB_ERROR_BINDER},
        {"Parser", DUCKDB_ERROR_PARSER},
        {"Catalog", DUCKDB_ERROR_CATALOG},
        {"Out of Memory", DUCKDB_ERROR_OUT_OF_MEMORY},
        {"IO Error", DUCKDB_ERROR_IO},
        {"INTERRUPT", DUCKDB_ERROR_INTERRUPT},
        {"INTERNAL", DUCKDB_ERROR_INTERNAL},
        {"FATAL", DUCKDB_ERROR_FATAL},
        {"Conversion", DUCKDB_ERROR_CONVERSION},
        {"Out of Range", DUCKDB_ERROR_OUT_OF_RANGE},
        {"Invalid Input", DUCKDB_ERROR_INVALID_INPUT},
    };
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(text, prefixes[i].prefix, strlen(prefixes[i].prefix)) == 0)
            return prefixes[i].type;
    return DUCKDB_ERROR_INVALID;
}

static SiltErrKind kind_of(duckdb_error_type type, const char *text)
{
    switch (type) {
    case DUCKDB_ERROR_OUT_OF_MEMORY:
        return SILT_TRANSIENT;
    case DUCKDB_ERROR_IO: /* a full disk may have room later; a file that is not there needs a person */
        return strstr(text, "No space left") || strstr(text, "Input/output error") ? SILT_TRANSIENT : SILT_CONFIG;
    case DUCKDB_ERROR_CONVERSION:
    case DUCKDB_ERROR_OUT_OF_RANGE:
    case DUCKDB_ERROR_INVALID_INPUT:
    case DUCKDB_ERROR_DIVIDE_BY_ZERO:
    case DUCKDB_ERROR_DECIMAL:
        return SILT_INPUT;
    case DUCKDB_ERROR_INTERNAL:
    case DUCKDB_ERROR_FATAL:
        return SILT_CORRUPT;
    default:
        return SILT_CONFIG;
    }
}

/* The text between the first two of these marks, to out. */
static void quoted(const char *text, char mark, char *out, size_t capacity)
{
    const char *from = strchr(text, mark), *to = from ? strchr(from + 1, mark) : NULL;
    size_t size = to ? (size_t)(to - from - 1) : 0;

    if (size >= capacity)
        size = capacity - 1;
    if (size)
        memcpy(out, from + 1, size);
    out[size] = 0;
}

/* Values that only DuckDB looks at. */
static const struct {
    const char *text;
    SiltErrKind kind;
    const char *code, *message;
} known[] = {
    {"interval cannot be 0", SILT_CONFIG, "FAILED_FUNCTION_CALL", "the step of range is 0"},
    {"not in timestamp range", SILT_INPUT, "DATETIME_OVERFLOW", "a date or time is out of range"},
    {"date overflows timestamp range", SILT_INPUT, "DATETIME_OVERFLOW", "a date or time is out of range"},
    {"Date out of range", SILT_INPUT, "DATETIME_OVERFLOW", "a date or time is out of range"},
    {"QUANTILE can only take", SILT_CONFIG, "DATATYPE_MISMATCH.VALUE_OUT_OF_RANGE", "a percentage is not between 0 and 1"},
    {"Argument for ntile must be", SILT_CONFIG, "DATATYPE_MISMATCH.VALUE_OUT_OF_RANGE", "ntile needs a number above 0"},
    {"Max expression depth limit", SILT_CONFIG, "FAILED_TO_PARSE_TOO_COMPLEX",
     "the query is nested too deep, with the queries of WITH and of views put in their places; make a table of one of them"},
    {"Unsupported join type for flattening", SILT_CONFIG, "UNSUPPORTED_FEATURE", "cannot run an outer, semi or anti join inside of a subquery that reads the query around it yet"},
    {"window expression is not supported here", SILT_CONFIG, "UNSUPPORTED_FEATURE", "cannot run a window function in a LEFT JOIN LATERAL yet"},
};

/* What DuckDB's Parquet reader and its Thrift say of bytes that make no sense. */
static bool damaged_parquet(SiltErr *err, const char *text)
{
    static const char *const texts[] = {"Out of buffer", "TProtocolException", "invalid TType", "don't know what type", "decompression failure", "likely corrupted",
                                        "Corrupted file", "Footer length error", "Incorrect stats size", "Malformed Parquet schema",
                                        "Mismatch in parquet read", "Failed to read Parquet file"};
    bool found = false;
    for (size_t i = 0; i < sizeof texts / sizeof *texts && !found; i++)
        found = strstr(text, texts[i]) != NULL;
    if (!found)
        return false;
    const char *rest = strstr(text, "Error: ");
    rest = rest ? rest + strlen("Error: ") : text;
    silt_fail(err, SILT_INPUT, "a Parquet file is damaged: %.*s", (int)strcspn(rest, "\n"), rest);
    silt_hint(err, "Replace it by a whole copy, and it is read then; or take it away."); /* no code: which file it is can be found out */
    return true;
}

/* What a user's data or machine can bring about, in our words. Everything else that fails in a query fails in our own functions. */
static bool known_failure(SiltErr *err, duckdb_error_type type, const char *text)
{
    char name[512];

    if (strstr(text, "No magic bytes found") || (strstr(text, "too small to be a Parquet file"))) {
        quoted(text, '\'', name, sizeof name);
        silt_fail(err, SILT_INPUT, "\"%s\" is not a Parquet file", name);
        silt_code(err, "FAILED_READ_FILE.CANNOT_READ_FILE_FOOTER");
        silt_hint(err, "It may be in the middle of being copied, or of another format.");
        return true;
    }
    const char *reserved = strstr(text, "file_row_number") ? "file_row_number" : strstr(text, "\"filename\"") ? "filename" : NULL;
    if (reserved && (strstr(text, "already in the file") || strstr(text, "column with that name") || strstr(text, "column named") ||
                     strstr(text, "same name"))) {
        silt_fail(err, SILT_CONFIG, "a Parquet file has a column \"%s\", and Silt cannot read it yet", reserved);
        silt_hint(err, "Write the files with another name for the column.");
        return true;
    }
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (!strstr(text, known[i].text))
            continue;
        silt_fail(err, known[i].kind, "%s", known[i].message);
        if (known[i].code)
            silt_code(err, known[i].code);
        return true;
    }
    if (damaged_parquet(err, text))
        return true;
    if (type == DUCKDB_ERROR_OUT_OF_MEMORY) {
        silt_fail(err, SILT_TRANSIENT, "the batch needs more memory than it may have");
        silt_hint(err, "Raise silt.memory, or take less at once: maxFilesPerTrigger, maxBytesPerTrigger. %.*s", (int)strcspn(text, "\n"), text);
        return true;
    }
    if (type == DUCKDB_ERROR_IO) {
        const char *rest = strstr(text, "IO Error: ");
        rest = rest ? rest + strlen("IO Error: ") : text;
        silt_fail(err, kind_of(type, text), "could not read or write a file: %.*s", (int)strcspn(rest, "\n"), rest);
        return true;
    }
    return false;
}

/* Our own mistake: a query that DuckDB refuses, a function of its own that failed where ours should have been called. */
static int unexpected_failure(SiltErr *err, duckdb_error_type type, const char *text)
{
    silt_fail(err, kind_of(type, text), "%.*s", (int)strcspn(text, "\n"), text);
    const char *rest = text + strcspn(text, "\n");
    return silt_hint(err, "This is a fault of Silt: please report it with the query. %.*s", 600, rest + strspn(rest, "\n"));
}

int duck__fail(SiltErr *err, duckdb_error_type type, const char *text, const char *file)
{
    if (!text)
        text = "unknown error";
    const char *packed = strchr(text, PACK_START);
    if (packed)
        return unpack_failure(err, packed, file);
    if (type == DUCKDB_ERROR_INVALID)
        type = type_from_text(text);
    if (type == DUCKDB_ERROR_INTERRUPT)
        return silt_fail(err, SILT_CANCELLED, "cancelled");
    if (strstr(text, "More than one row returned by a subquery")) {
        silt_fail(err, SILT_INPUT, "more than one row came out of a subquery that is used as a value");
        silt_code(err, "SCALAR_SUBQUERY_TOO_MANY_ROWS");
        return -1;
    }

    if (known_failure(err, type, text))
        return -1;
    return unexpected_failure(err, type, text);
}

/* ---- positions ---- */

static pthread_mutex_t files_lock = PTHREAD_MUTEX_INITIALIZER;
static const char *files[DUCK_FILES_MAX + 1]; /* by number; [0]: the session's */
static int file_count;

static int file_number(const char *file)
{
    int number = 1;

    if (!file || !*file)
        return 0;
    pthread_mutex_lock(&files_lock);
    while (number <= file_count && strcmp(files[number], file))
        number++;
    if (number > file_count && file_count < DUCK_FILES_MAX)
        files[++file_count] = silt_strdup(file);
    pthread_mutex_unlock(&files_lock);
    return number <= DUCK_FILES_MAX ? number : 0;
}

int64_t duck_pos_pack(SiltPos pos)
{
    int64_t column = pos.column < 4095 ? pos.column : 4095, length = pos.length < 255 ? pos.length : 255;

    return (int64_t)file_number(pos.file) << 52 | (int64_t)(uint32_t)pos.line << 20 | column << 8 | length;
}

SiltPos duck_pos_unpack(int64_t packed)
{
    SiltPos pos = {.line = (int)(packed >> 20 & UINT32_MAX), .column = (int)(packed >> 8 & 4095), .length = (int)(packed & 255)};
    int64_t number = packed >> 52;

    pthread_mutex_lock(&files_lock);
    if (number > 0 && number <= file_count)
        pos.file = files[number];
    pthread_mutex_unlock(&files_lock);
    return pos;
}
