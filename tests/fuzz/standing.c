/*
 * tests/fuzz/standing.c - a fuzz target without a fuzzer: kept inputs, then seeded mutations of them, the same at each run
 *
 *   standing COUNT FILE...
 *
 * Linked to a target in place of libFuzzer, so that `make test` tries each target for a moment with any compiler. A crash prints the number of the
 * mutation; the input is then made again by the same call.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { INPUT_MAX = 1 << 16 };

static uint64_t state = 88172645463325252u;

static uint64_t next(uint64_t bound)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return bound ? state % bound : 0;
}

static size_t mutate(uint8_t *data, size_t size)
{
    static const char marks[] = "\"'{}[]:,\\\n\r\t 0-9.eE|;";
    for (uint64_t steps = 1 + next(6); steps > 0; steps--) {
        size_t at = next(size + 1), length = next(8);
        switch (next(6)) {
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
        default:
            if (at < size)
                data[at] = (uint8_t)next(256);
        }
    }
    return size;
}

int main(int argc, char **argv)
{
    static uint8_t kept[64][INPUT_MAX], data[INPUT_MAX];
    size_t sizes[64];
    int count = argc > 1 ? atoi(argv[1]) : 0, files = 0;

    for (int i = 2; i < argc && files < 64; i++) {
        FILE *file = fopen(argv[i], "rb");
        if (!file) {
            fprintf(stderr, "could not open %s\n", argv[i]);
            return 1;
        }
        sizes[files] = fread(kept[files], 1, INPUT_MAX, file);
        fclose(file);
        LLVMFuzzerTestOneInput(kept[files], sizes[files]);
        files++;
    }
    for (int i = 0; i < count && files; i++) {
        int from = (int)next((uint64_t)files);
        memcpy(data, kept[from], sizes[from]);
        size_t size = mutate(data, sizes[from]);
        if (i % 500 == 0) {
            printf("mutation %d\n", i);
            fflush(stdout);
        }
        LLVMFuzzerTestOneInput(data, size);
    }
    printf("%d kept, %d mutations\n", files, count);
    return files ? 0 : 1;
}
