/*
 * source.c - a source in C: FROM STREAM squares(until => 10) gives the numbers 1, 2, ... and their squares
 *
 * A source has offsets, and gives the same rows for the same two offsets. Here the offset {"n": 7} stands behind the number 7. Real sources
 * keep what they have given until Silt says that it is in the table (`committed`).
 */
#include "project.h"

typedef struct Squares {
    long long until;
} Squares;

static SiltStatus squares_open(void *self, const SiltOption *options, int count, void **instance, char **schema, char message[SILT_MESSAGE_SIZE])
{
    Squares *squares = calloc(1, sizeof *squares);

    (void)self;
    for (int i = 0; i < count; i++) {
        if (strcmp(options[i].name, "until") != 0) {
            snprintf(message, SILT_MESSAGE_SIZE, "there is no option \"%s\"", options[i].name);
            free(squares);
            return SILT_REFUSED;
        }
        squares->until = atoll(options[i].value);
    }
    *instance = squares;
    *schema = strdup("n BIGINT, square BIGINT");
    return SILT_DONE;
}

static long long number_of(const char *offset)
{
    long long n = 0;

    if (offset)
        sscanf(offset, "{\"n\": %lld}", &n);
    return n;
}

static SiltStatus offset_of(long long n, char **out)
{
    char text[64];

    snprintf(text, sizeof text, "{\"n\": %lld}", n);
    *out = strdup(text);
    return SILT_DONE;
}

static SiltStatus squares_latest(void *instance, char **offset, char message[SILT_MESSAGE_SIZE])
{
    const Squares *squares = instance;

    (void)message;
    return squares->until > 0 ? offset_of(squares->until, offset) : SILT_END;
}

/* Batches of four rows. */
static SiltStatus squares_next(void *instance, const char *start, const char *latest, char **end, char message[SILT_MESSAGE_SIZE])
{
    long long from = number_of(start), to = number_of(latest);

    (void)instance, (void)message;
    return offset_of(to - from > 4 ? from + 4 : to, end);
}

/* ---- rows as an Arrow stream of one array ---- */

typedef struct Rows {
    long long from, to; /* numbers from + 1 .. to */
} Rows;

static void release_schema(struct ArrowSchema *schema)
{
    schema->release = NULL; /* all of it is static */
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    static struct ArrowSchema columns[] = {{.format = "l", .name = "n"}, {.format = "l", .name = "square"}}, *children[] = {&columns[0], &columns[1]};

    (void)stream;
    *out = (struct ArrowSchema){.format = "+s", .name = "", .n_children = 2, .children = children, .release = release_schema};
    return 0;
}

/* All that an array of ours consists of, in one piece. */
typedef struct Block {
    struct ArrowArray columns[2], *children[2];
    const void *column_buffers[2][2], *row_buffers[1];
    int64_t values[];
} Block;

static void release_block(struct ArrowArray *array)
{
    free(array->private_data);
    array->release = NULL;
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    Rows *rows = stream->private_data;
    int64_t count = rows->to - rows->from;
    Block *block = calloc(1, sizeof *block + (size_t)count * 2 * sizeof *block->values);

    *out = (struct ArrowArray){0};
    if (count == 0) {
        free(block);
        return 0;
    }
    for (int64_t i = 0; i < count; i++) {
        block->values[i] = rows->from + 1 + i;
        block->values[count + i] = block->values[i] * block->values[i];
    }
    for (int i = 0; i < 2; i++) {
        block->column_buffers[i][1] = block->values + i * count;
        block->columns[i] = (struct ArrowArray){.length = count, .n_buffers = 2, .buffers = block->column_buffers[i]};
        block->children[i] = &block->columns[i];
    }
    *out = (struct ArrowArray){.length = count, .n_buffers = 1, .buffers = block->row_buffers, .n_children = 2, .children = block->children,
                               .release = release_block, .private_data = block};
    rows->from = rows->to;
    return 0;
}

static const char *get_last_error(struct ArrowArrayStream *stream)
{
    (void)stream;
    return NULL;
}

static void release_stream(struct ArrowArrayStream *stream)
{
    free(stream->private_data);
    stream->release = NULL;
}

static SiltStatus squares_read(void *instance, const char *start, const char *end, struct ArrowArrayStream *out, char message[SILT_MESSAGE_SIZE])
{
    Rows *rows = malloc(sizeof *rows);

    (void)instance, (void)message;
    *rows = (Rows){number_of(start), number_of(end)};
    *out = (struct ArrowArrayStream){
        .get_schema = get_schema, .get_next = get_next, .get_last_error = get_last_error, .release = release_stream, .private_data = rows};
    return SILT_DONE;
}

int main(int argc, char **argv)
{
    SiltExtensions *extensions = silt_extensions_new();
    SiltProblems *problems;
    SiltSource source = {.name = "squares", .open = squares_open, .close = free, .latest = squares_latest, .next = squares_next, .read = squares_read};
    char sql[256];

    snprintf(sql, sizeof sql, "CREATE OR REFRESH STREAMING TABLE squares_table AS SELECT * FROM STREAM squares(until => %d);\n", argc > 1 ? atoi(argv[1]) : 10);
    write_project("squares", "");
    write_file("transformations/pipeline.sql", sql); /* again with a larger number: only what is new is read */
    check(silt_extensions_add_source(extensions, &source, &problems), &problems);
    run_project(extensions);
    silt_extensions_free(extensions);
    return 0;
}
