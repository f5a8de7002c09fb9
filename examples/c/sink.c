/*
 * sink.c - a sink in C, or foreachBatch: each micro-batch is appended to a text file, exactly once
 *
 * The file's last line names the last batch that is in it. A batch that comes again (Silt was killed before it could note that the sink has
 * it) is cut off where it began and written once more.
 */
#include <inttypes.h>
#include <unistd.h>
#include "project.h"

static SiltStatus failed(const char *path, char message[SILT_MESSAGE_SIZE])
{
    snprintf(message, SILT_MESSAGE_SIZE, "file \"%s\" cannot be written", path);
    return SILT_FAILED; /* it may work later */
}

/* Where batch `id` begins in the file: at its end, unless it is there already. */
static long batch_start(FILE *file, int64_t id)
{
    char line[512];
    long start = 0;

    rewind(file);
    while (fgets(line, sizeof line, file)) {
        int64_t sealed;
        if (sscanf(line, "-- batch %" SCNd64, &sealed) != 1)
            continue;
        if (sealed >= id)
            break;
        start = ftell(file);
    }
    return start;
}

static SiltStatus write_batch(void *self, const SiltBatch *batch, struct ArrowArrayStream *rows, char message[SILT_MESSAGE_SIZE])
{
    const char *path = self;
    FILE *file = fopen(path, "a+"); /* made when it is not there */
    struct ArrowArray array;

    if (!file || fclose(file) != 0 || !(file = fopen(path, "r+")))
        return failed(path, message);
    long start = batch_start(file, batch->id);
    if (ftruncate(fileno(file), start) != 0 || fseek(file, start, SEEK_SET) != 0) {
        fclose(file);
        return failed(path, message);
    }
    while (rows->get_next(rows, &array) == 0 && array.release) { /* a failure to read is Silt's own: it knows */
        const int64_t *ids = array.children[0]->buffers[1], *offsets = array.children[1]->buffers[1];
        const char *names = array.children[1]->buffers[2];
        for (int64_t i = 0; i < array.length; i++)
            fprintf(file, "%" PRId64 " %.*s\n", ids[i], (int)(offsets[i + 1] - offsets[i]), names + offsets[i]);
        array.release(&array);
    }
    fprintf(file, "-- batch %" PRId64 "\n", batch->id);
    if (fflush(file) != 0 || fsync(fileno(file)) != 0) {
        fclose(file);
        return failed(path, message);
    }
    return fclose(file) == 0 ? SILT_DONE : failed(path, message);
}

int main(void)
{
    SiltExtensions *extensions = silt_extensions_new();
    SiltProblems *problems;

    write_project("letters", "CREATE SINK letters USING text_file;\n"
                             "CREATE FLOW names AS INSERT INTO letters BY NAME\n"
                             "SELECT id, upper(name) AS name FROM STREAM read_files('in', format => 'json', schema => 'id BIGINT, name STRING');\n");
    check(silt_extensions_add_sink(extensions, &(SiltSink){.name = "text_file", .self = "letters.txt", .batch = write_batch}, &problems), &problems);
    run_project(extensions);
    silt_extensions_free(extensions);
    return 0;
}
