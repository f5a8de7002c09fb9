/*
 * tests/fuzz/standing.c - a fuzz target without a fuzzer: kept inputs, then seeded mutations of them, the same at each run
 *
 *   standing COUNT FOLDER
 *
 * Linked to a target in place of libFuzzer, so that `make test` tries each target for a moment with any compiler. The file or number of a
 * mutation that was printed last tells what crashed; the input is made again by the same call.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { INPUT_MAX = 1 << 16, FILES_MAX = 1024 };

typedef struct Input {
    uint8_t *data;
    size_t size;
} Input;

static Input kept[FILES_MAX];
static int kept_count;

static uint64_t state = 88172645463325252u;

static uint64_t next(uint64_t bound)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return bound ? state % bound : 0;
}

/* The end of one input behind the start of another. */
static size_t cross(uint8_t *data, size_t at, const Input *other)
{
    size_t from = next(other->size + 1), length = other->size - from;
    if (length > INPUT_MAX - at)
        length = INPUT_MAX - at;
    memcpy(data + at, other->data + from, length);
    return at + length;
}

static size_t mutate(uint8_t *data, size_t size)
{
    static const char marks[] = "\"'{}[]():,\\\n\r\t 0-9.eE|;*+?^$<>`";
    for (uint64_t steps = 1 + next(6); steps > 0; steps--) {
        size_t at = next(size + 1), length = next(8);
        switch (next(7)) {
        case 0: /* a bit */
            if (at < size)
                data[at] ^= (uint8_t)(1u << next(8));
            break;
        case 1: /* a byte that means something */
            if (at < size)
                data[at] = (uint8_t)marks[next(sizeof marks - 1)];
            break;
        case 2: /* cut */
            size = at;
            break;
        case 3: /* some bytes gone */
            if (length > size - at)
                length = size - at;
            memmove(data + at, data + at + length, size - at - length);
            size -= length;
            break;
        case 4: /* some bytes twice */
            if (length > size - at)
                length = size - at;
            if (size + length > INPUT_MAX)
                break;
            memmove(data + at + length, data + at, size - at);
            size += length;
            break;
        case 5:
            size = cross(data, at, &kept[next((uint64_t)kept_count)]);
            break;
        default:
            if (at < size)
                data[at] = (uint8_t)next(256);
        }
    }
    return size;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name); /* whatever the locale */
}

static int not_hidden(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* All files of the folder by name, each tried as it is. */
static void read_kept(const char *folder)
{
    struct dirent **entries;
    int count = scandir(folder, &entries, not_hidden, by_name);
    if (count <= 0 || count > FILES_MAX) {
        fprintf(stderr, "%s: %d files\n", folder, count);
        exit(1);
    }
    for (int i = 0; i < count; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        FILE *file = fopen(path, "rb");
        if (!file) {
            perror(path);
            exit(1);
        }
        static uint8_t whole[INPUT_MAX];
        size_t size = fread(whole, 1, sizeof whole, file);
        fclose(file);
        kept[i].data = malloc(size + 1);
        kept[i].size = size;
        memcpy(kept[i].data, whole, size);
        printf("%s\n", entries[i]->d_name);
        fflush(stdout);
        LLVMFuzzerTestOneInput(kept[i].data, size);
        free(entries[i]);
    }
    free(entries);
    kept_count = count;
}

int main(int argc, char **argv)
{
    static uint8_t data[INPUT_MAX];
    if (argc != 3) {
        fprintf(stderr, "usage: %s COUNT FOLDER\n", argv[0]);
        return 1;
    }
    int count = atoi(argv[1]);
    read_kept(argv[2]);
    for (int i = 0; i < count; i++) {
        const Input *from = &kept[next((uint64_t)kept_count)];
        memcpy(data, from->data, from->size);
        size_t size = mutate(data, from->size);
        if (i % 500 == 0) {
            printf("mutation %d\n", i);
            fflush(stdout);
        }
        uint8_t *exact = malloc(size + !size); /* so that a sanitizer sees what lies behind */
        memcpy(exact, data, size);
        LLVMFuzzerTestOneInput(exact, size);
        free(exact);
    }
    printf("%d kept, %d mutations\n", kept_count, count);
    for (int i = 0; i < kept_count; i++)
        free(kept[i].data);
    return 0;
}
