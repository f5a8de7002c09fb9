/*
 * cli/sql.c - `silt sql`: statements from -c, -f, stdin or a prompt, in one session
 *
 * Everything is read and parsed before the first statement runs, so a mistake in the last line starts nothing.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "cli/cli.h"

typedef struct Text {
    const char *name; /* in positions */
    char number[16];  /* holds the name of one of several -c */
    char *ptr;
    size_t size;
} Text;

static int read_all(FILE *file, Text *text)
{
    size_t capacity = 1 << 16;

    text->ptr = cli_alloc(capacity);
    for (;;) {
        size_t got = fread(text->ptr + text->size, 1, capacity - text->size, file);
        text->size += got;
        if (got == 0)
            return ferror(file) ? -1 : 0;
        if (text->size == capacity) {
            capacity *= 2;
            text->ptr = realloc(text->ptr, capacity);
            if (!text->ptr)
                abort();
        }
    }
}

/* All texts in the order -c first, then -f; stdin when there is neither. */
static int read_texts(const Options *options, Text **out, int *count)
{
    int commands = options->commands.count, files = options->files.count;
    Text *texts = cli_alloc((size_t)(commands + files + 1) * sizeof(*texts));
    int n = 0;

    for (int i = 0; i < commands; i++) {
        const char *sql = options->commands.items[i];
        Text *text = &texts[n++];
        snprintf(text->number, sizeof(text->number), "-c#%d", i + 1);
        text->name = commands == 1 ? "-c" : text->number;
        text->ptr = cli_printf("%s", sql);
        text->size = strlen(sql);
    }
    for (int i = 0; i < files; i++) {
        const char *path = options->files.items[i];
        FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
        if (!file)
            return cli_refuse(NULL, "could not open \"%s\": %s", path, strerror(errno));
        texts[n] = (Text){.name = file == stdin ? "<stdin>" : path};
        int r = read_all(file, &texts[n++]);
        int errnum = errno;
        if (file != stdin)
            fclose(file);
        if (r < 0)
            return cli_refuse(NULL, "could not read \"%s\": %s", path, strerror(errnum));
    }
    if (n == 0) {
        texts[n] = (Text){.name = "<stdin>"};
        if (read_all(stdin, &texts[n++]) < 0)
            return cli_refuse(NULL, "could not read stdin: %s", strerror(errno));
    }
    *out = texts;
    *count = n;
    return 0;
}

/* Run all scripts. *started tells whether any statement has run, for the exit code of a later refusal. */
static SiltStatus run_scripts(SiltSession *session, SiltScript **scripts, int count, const Options *options, SiltProblems **problems)
{
    bool started = false;

    for (int i = 0; i < count; i++) {
        for (;;) {
            SiltResult *result = NULL;
            query_bar_begin(session);
            SiltStatus status = silt_script_next(scripts[i], &result, problems);
            bool end = status == SILT_END;
            if (status == SILT_DONE)
                status = output_result(result, options->format, options->quiet, problems);
            query_bar_end();
            if (end)
                break;
            bool rows = result && silt_result_column_count(result) > 0;
            silt_result_free(result);
            if (status == SILT_REFUSED && started)
                return SILT_FAILED; /* something did run before */
            if (status != SILT_DONE)
                return status;
            started |= rows;
            fflush(stdout);
            if (ferror(stdout))
                return SILT_DONE; /* main() says so */
        }
    }
    return SILT_DONE;
}

static int run_texts(SiltSession *session, const Options *options, const Text *texts, int count)
{
    SiltScript **scripts = cli_alloc((size_t)count * sizeof(*scripts));
    int code = 0;

    for (int i = 0; i < count; i++) {
        SiltProblems *problems = NULL;
        SiltStatus status = silt_script_open(session, texts[i].name, texts[i].ptr, texts[i].size, &scripts[i], &problems);
        int r = problems_report(status, problems);
        code = code ? code : r;
    }
    if (code == 0) {
        SiltProblems *problems = NULL;
        SiltStatus status = run_scripts(session, scripts, count, options, &problems);
        code = problems_report(status, problems);
    }
    for (int i = 0; i < count; i++)
        silt_script_free(scripts[i]);
    free(scripts);
    return code;
}

/* The project is optional: named by --spec, or found from the working directory. */
static int open_optional_project(const Options *options, SiltProject **out)
{
    char *spec = NULL;

    if (!options->spec && !silt_project_find(".", &spec))
        return 0;
    free(spec);
    return cli_open_project(options, out);
}

int verb_sql(const Options *options)
{
    bool interactive = !options->commands.count && !options->files.count && isatty(STDIN_FILENO);
    SiltProject *project = NULL;
    SiltSession *session = NULL;
    SiltProblems *problems = NULL;
    Text *texts = NULL;
    int count = 0;

    int code = interactive ? 0 : read_texts(options, &texts, &count);
    if (code == 0)
        code = open_optional_project(options, &project);
    if (code == 0) {
        SiltSessionOptions open = {.managed_writes = options->managed_writes};
        SiltStatus status = silt_session_open(project, &open, &session, &problems);
        code = problems_report(status, problems);
    }
    if (code == 0) {
        signals_interrupt_session(session, interactive);
        code = interactive ? prompt_run(session, project, options) : run_texts(session, options, texts, count);
        signals_default();
    }
    silt_session_free(session);
    silt_project_free(project);
    for (int i = 0; i < count; i++)
        free(texts[i].ptr);
    free(texts);
    return code;
}
