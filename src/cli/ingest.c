/*
 * cli/ingest.c - `silt ingest TOPIC TABLE`: a project of one table, made from flags and run
 *
 * The project lies in TABLE/_silt_ingest, with its checkpoint; each call writes its files anew from the flags. So everything that works on a project
 * works on it (show, audit, recover), and whoever wants more takes the files from there.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>
#include "cli/cli.h"

typedef struct Ingest {
    const Options *options;
    const char *topic;
    char *table;  /* absolute path */
    char *name;   /* of the table in the project */
    char *folder; /* of the project */
    char *schema; /* columns of a value; NULL: the format has its own */
} Ingest;

static void fini(Ingest *ingest)
{
    free(ingest->table);
    free(ingest->name);
    free(ingest->folder);
    free(ingest->schema);
}

/* ---- what the flags say ---- */

static int take_table(Ingest *ingest, const char *given)
{
    const char *path = strncmp(given, "file://", 7) ? given : given + 7;

    if (strstr(path, "://"))
        return cli_refuse("Give the path of a local folder.", "\"%s\" is no local path", given);
    char *here = getcwd(NULL, 0);
    ingest->table = *path == '/' ? cli_printf("%s", path) : cli_printf("%s/%s", here ? here : "", path);
    free(here);
    size_t size = strlen(ingest->table);
    while (size > 1 && ingest->table[size - 1] == '/')
        ingest->table[--size] = 0;
    ingest->name = cli_printf("%s", strrchr(ingest->table, '/') + 1);
    for (char *at = ingest->name; *at; at++)
        if (!isalnum((unsigned char)*at))
            *at = '_';
    if (!*ingest->name)
        return cli_refuse(NULL, "\"%s\" cannot be a table's folder", given);
    ingest->folder = cli_printf("%s/_silt_ingest", ingest->table);
    return 0;
}

/* NAME=VALUE in two; value NULL: there is none. */
static char *cut(const char *given, const char **value)
{
    const char *equals = strchr(given, '=');

    *value = equals && equals != given ? equals + 1 : NULL;
    return cli_printf("%.*s", equals ? (int)(equals - given) : (int)strlen(given), given);
}

/* Values of these end up in a file. */
static int check_settings(const Options *options)
{
    static const char *const secrets[] = {"password", "secret", "jaas", ".key", "oauthbearer.config"};

    for (int i = 0; i < options->kafka.count; i++) {
        const char *value;
        char *name = cut(options->kafka.items[i], &value);
        bool secret = false;
        for (size_t j = 0; j < sizeof secrets / sizeof secrets[0]; j++)
            secret |= strstr(name, secrets[j]) != NULL && !strstr(name, ".location");
        int r = !value                                     ? cli_refuse("Write NAME=VALUE.", "--kafka \"%s\" sets nothing", name)
                : secret && !strstr(value, "{{secrets/") ? cli_refuse("Write {{secrets/env/NAME}} or {{secrets/file/PATH}} for it.", "the value of \"%s\" would be kept in a file", name)
                                                         : 0;
        free(name);
        if (r)
            return r;
    }
    return 0;
}

static bool is_computed(const Options *options, const char *column)
{
    size_t size = strlen(column);

    for (int i = 0; i < options->columns.count; i++)
        if (!strncasecmp(options->columns.items[i], column, size) && options->columns.items[i][size] == '=')
            return true;
    return false;
}

static void put_name(FILE *out, const char *name)
{
    fputc('`', out);
    for (; *name; name++)
        fprintf(out, *name == '`' ? "``" : "%c", *name);
    fputc('`', out);
}

/* A literal, as Spark reads it. */
static void put_text(FILE *out, const char *text)
{
    fputc('\'', out);
    for (; *text; text++)
        fprintf(out, *text == '\'' || *text == '\\' ? "\\%c" : *text == '\n' ? "\\n" : "%c", *text);
    fputc('\'', out);
}

/* The columns of a result, but for those that are computed, as in CREATE TABLE. */
static char *columns_of(const SiltResult *result, const Options *options)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    bool first = true;

    for (int i = 0; i < silt_result_column_count(result); i++) {
        if (is_computed(options, silt_result_column_name(result, i)))
            continue;
        fputs(first ? "" : ", ", out);
        put_name(out, silt_result_column_name(result, i));
        fprintf(out, " %s", silt_result_column_type(result, i));
        first = false;
    }
    fclose(out);
    return text;
}

/* The columns of the table that is there. */
static int ask_table(Ingest *ingest)
{
    SiltSession *session = NULL;
    SiltScript *script = NULL;
    SiltResult *result = NULL;
    SiltProblems *problems = NULL;
    char *sql = NULL;
    size_t size;
    FILE *out = open_memstream(&sql, &size);

    fputs("SELECT * FROM delta.", out);
    put_name(out, ingest->table);
    fputs(" LIMIT 0", out);
    fclose(out);
    SiltStatus status = silt_session_open(NULL, &(SiltSessionOptions){0}, &session, &problems);
    if (status == SILT_DONE)
        status = silt_script_open(session, "the table's columns", sql, size, &script, &problems);
    if (status == SILT_DONE)
        status = silt_script_next(script, &result, &problems);
    if (status == SILT_DONE)
        ingest->schema = columns_of(result, ingest->options);
    int code = problems_report(status, problems);
    silt_result_free(result);
    silt_script_free(script);
    silt_session_free(session);
    free(sql);
    return code;
}

static bool is_table(const char *folder)
{
    char *log = cli_printf("%s/_delta_log", folder);
    bool found = access(log, F_OK) == 0;

    free(log);
    return found;
}

static int find_schema(Ingest *ingest)
{
    const Options *options = ingest->options;
    bool has_its_own = options->format && (!strcmp(options->format, "text") || !strcmp(options->format, "avro") || !strcmp(options->format, "protobuf"));

    if (options->schema)
        ingest->schema = cli_printf("%s", options->schema);
    if (options->schema || has_its_own)
        return 0;
    if (is_table(ingest->table))
        return ask_table(ingest);
    return cli_refuse("Give the columns of a message: --schema 'id BIGINT, item STRING'. The schema of a table that is there need not be given.",
                      "\"%s\" is no table yet, and its columns are not known", ingest->table);
}

/* ---- the project ---- */

static void put_option(FILE *out, const char *prefix, const char *name, const char *value)
{
    char *whole = cli_printf("%s%s", prefix, name);

    fputs(",\n  ", out);
    if (strspn(whole, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == strlen(whole))
        fputs(whole, out);
    else
        put_name(out, whole);
    fputs(" => ", out);
    put_text(out, value);
    free(whole);
}

static void put_options(FILE *out, const char *prefix, const Words *given)
{
    for (int i = 0; i < given->count; i++) {
        const char *value;
        char *name = cut(given->items[i], &value);
        put_option(out, prefix, name, value ? value : "");
        free(name);
    }
}

static void put_columns(FILE *out, const Options *options)
{
    fputs("AS SELECT *", out);
    for (int i = 0; i < options->columns.count; i++) {
        const char *value;
        char *name = cut(options->columns.items[i], &value);
        fprintf(out, ",\n  %s AS ", value ? value : "");
        put_name(out, name);
        free(name);
    }
}

static char *sql_of(const Ingest *ingest)
{
    const Options *options = ingest->options;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    fputs("CREATE OR REFRESH STREAMING TABLE ", out);
    put_name(out, ingest->name);
    for (int i = 0; i < options->partition_by.count; i++) {
        fputs(i ? ", " : "\nPARTITIONED BY (", out);
        put_name(out, options->partition_by.items[i]);
    }
    fputs(options->partition_by.count ? ")\nLOCATION " : "\nLOCATION ", out);
    put_text(out, ingest->table);
    fputc('\n', out);
    put_columns(out, options);
    fputs("\nFROM STREAM read_kafka(\n  bootstrapServers => ", out);
    put_text(out, options->brokers ? options->brokers : "localhost:9092");
    put_option(out, "", "subscribe", ingest->topic);
    put_option(out, "", "startingOffsets", options->from ? options->from : "earliest");
    put_option(out, "", "format", options->format ? options->format : "json");
    if (ingest->schema)
        put_option(out, "", "schema", ingest->schema);
    if (options->group)
        put_option(out, "", "groupId", options->group);
    if (options->max_messages)
        put_option(out, "", "maxOffsetsPerTrigger", options->max_messages);
    put_options(out, "", &options->read_options);
    put_options(out, "kafka.", &options->kafka);
    fputs("\n)", out);
    if (options->where)
        fprintf(out, "\nWHERE %s", options->where);
    fputs(";\n", out);
    fclose(out);
    return text;
}

/* A text in double quotes, as YAML reads it. */
static void put_yaml(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; text++)
        fprintf(out, *text == '"' || *text == '\\' ? "\\%c" : *text == '\n' ? "\\n" : "%c", *text);
    fputc('"', out);
}

/* file:/// and the path, percent signs and what ends a path written as numbers. */
static char *uri_of(const char *path)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    fputs("file://", out);
    for (; *path; path++)
        fprintf(out, strchr("%?# ", *path) ? "%%%02X" : "%c", *path);
    fclose(out);
    return text;
}

static char *spec_of(const Ingest *ingest)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    fprintf(out, "name: ingest_%s\nstorage: ", ingest->name);
    char *path = cli_printf("%s/storage", ingest->folder), *storage = uri_of(path);
    put_yaml(out, storage);
    free(path);
    free(storage);
    fputs("\ndatabase: default\nconfiguration:\n  spark.sql.session.timeZone: UTC\n", out);
    if (ingest->options->freshness) {
        fputs("  silt.freshness: ", out);
        put_yaml(out, ingest->options->freshness);
        fputc('\n', out);
    }
    fputs("libraries:\n  - glob:\n      include: transformations/**\n", out);
    fclose(out);
    return text;
}

static int make_folders(const char *path)
{
    char *copy = cli_printf("%s", path);
    int code = 0;

    for (char *at = copy + 1; !code; at++) {
        char end = *at;
        if (end != '/' && end)
            continue;
        *at = 0;
        if (mkdir(copy, 0777) < 0 && errno != EEXIST)
            code = cli_refuse(NULL, "could not make \"%s\": %s", copy, strerror(errno));
        *at = end;
        if (!end)
            break;
    }
    free(copy);
    return code;
}

/* Whole under its name: another process of the same table may be reading it. */
static int write_file(const char *folder, const char *name, const char *text)
{
    char *path = cli_printf("%s/%s", folder, name), *other = cli_printf("%s.%ld", path, (long)getpid());
    FILE *file = fopen(other, "w");
    bool done = file && fputs(text, file) >= 0;

    done = file && fclose(file) == 0 && done;
    done = done && rename(other, path) == 0;
    int code = done ? 0 : cli_refuse(NULL, "could not write \"%s\": %s", path, strerror(errno));
    if (!done)
        unlink(other);
    free(path);
    free(other);
    return code;
}

static int write_project(const Ingest *ingest, const char *spec, const char *sql)
{
    char *folder = cli_printf("%s/transformations", ingest->folder);
    int code = make_folders(folder);

    if (!code)
        code = write_file(folder, "ingest.sql", sql);
    if (!code)
        code = write_file(ingest->folder, "spark-pipeline.yml", spec);
    free(folder);
    return code;
}

/* As one file of SQL: the spec is a comment. */
static void print_project(const char *spec, const char *sql)
{
    puts("-- spark-pipeline.yml:");
    for (const char *line = spec; *line;) {
        size_t size = strcspn(line, "\n");
        printf("--   %.*s\n", (int)size, line);
        line += size + (line[size] == '\n');
    }
    printf("\n%s", sql);
}

static int run_project(const Ingest *ingest)
{
    Options options = *ingest->options;
    char *spec = cli_printf("%s/spark-pipeline.yml", ingest->folder);

    options.spec = spec;
    options.continuous = !options.once;
    int code = verb_run(&options);
    free(spec);
    return code;
}

int verb_ingest(const Options *options)
{
    Ingest ingest = {.options = options, .topic = options->arguments.items[0]};
    char *spec = NULL, *sql = NULL;
    int code = take_table(&ingest, options->arguments.items[1]);

    if (!code)
        code = check_settings(options);
    if (!code)
        code = find_schema(&ingest);
    if (!code) {
        spec = spec_of(&ingest);
        sql = sql_of(&ingest);
    }
    if (!code && options->print) {
        print_project(spec, sql);
    } else if (!code) {
        code = write_project(&ingest, spec, sql);
        if (!code)
            code = run_project(&ingest);
    }
    free(spec);
    free(sql);
    fini(&ingest);
    return code;
}
