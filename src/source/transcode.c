/* source/transcode.c - see transcode.h */
#include "source/transcode.h"

#include <errno.h>
#include <iconv.h>
#include <stdlib.h>
#include <string.h>

enum { INPUT_SIZE = 64 * 1024 };

struct Transcode {
    iconv_t cd;
    const char *path, *encoding;
    char *input;
    size_t at, size; /* of what is not converted yet */
    int64_t position; /* of input[at] in the unpacked file */
    bool end;
};

bool transcode_knows(const char *encoding)
{
    iconv_t cd = iconv_open("UTF-8", encoding);
    if (cd == (iconv_t)-1)
        return false;
    iconv_close(cd);
    return true;
}

Transcode *transcode_new(const char *encoding, const char *path)
{
    Transcode *t = silt_alloc(sizeof *t);
    *t = (Transcode){.cd = iconv_open("UTF-8", encoding), .path = path, .encoding = encoding, .input = silt_alloc(INPUT_SIZE)};
    silt_assert(t->cd != (iconv_t)-1); /* transcode_knows */
    return t;
}

void transcode_free(Transcode *t)
{
    if (!t)
        return;
    iconv_close(t->cd);
    free(t->input);
    free(t);
}

void transcode_push(Transcode *t, const char *ptr, size_t size)
{
    silt_assert(t->size == 0 && size <= INPUT_SIZE);
    memcpy(t->input, ptr, size);
    t->size = size;
}

static int broken(const Transcode *t, SiltErr *err)
{
    silt_fail(err, SILT_INPUT, "\"%s\", byte %lld: this is no text in %s", t->path, (long long)t->position, t->encoding);
    return silt_hint(err, "Say how the file is written: encoding => '...', or repair it.");
}

int transcode_read(Transcode *t, Inflate *in, char *buffer, size_t size, size_t *got, SiltErr *err)
{
    char *out = buffer;
    size_t room = size;
    while (out == buffer && size > 0) {
        if (!t->end && t->size < INPUT_SIZE / 2) {
            size_t more;
            memmove(t->input, t->input + t->at, t->size);
            t->at = 0;
            SILT_TRY(inflate_read(in, t->input + t->size, INPUT_SIZE - t->size, &more, err));
            t->size += more;
            t->end = more == 0;
        }
        if (t->size == 0)
            break;
        char *from = t->input + t->at;
        size_t before = t->size;
        size_t r = iconv(t->cd, &from, &t->size, &out, &room);
        t->at += before - t->size;
        t->position += (int64_t)(before - t->size);
        if (r == (size_t)-1 && errno == EILSEQ)
            return broken(t, err);
        if (r == (size_t)-1 && errno == EINVAL && t->end)
            return broken(t, err); /* cut off in the middle of a character */
        if (r == (size_t)-1 && errno == E2BIG && out == buffer)
            break; /* no room for one character: the caller's buffers are larger */
    }
    *got = (size_t)(out - buffer);
    return 0;
}
