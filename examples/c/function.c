/* function.c - a scalar function in C, called from SQL: luhn_valid('4539 1488 0343 6467') */
#include "common.h"

/* Is this a number with a valid last digit, as on bank cards (ISO/IEC 7812-1, annex B)? Blanks are passed over. */
static bool luhn_valid(const char *text, int64_t size)
{
    int sum = 0, digits = 0;

    for (int64_t i = size - 1; i >= 0; i--) {
        if (text[i] == ' ')
            continue;
        if (text[i] < '0' || text[i] > '9')
            return false;
        int digit = text[i] - '0';
        if (digits++ % 2 == 1)
            digit = digit > 4 ? digit * 2 - 9 : digit * 2;
        sum += digit;
    }
    return digits > 1 && sum % 10 == 0;
}

static void release(struct ArrowArray *array)
{
    free((void *)array->buffers[0]);
    free((void *)array->buffers[1]);
    free(array->buffers);
    array->release = NULL;
}

/* One call for many rows: an array of strings comes, one of booleans goes. */
static SiltStatus call(void *self, struct ArrowArray *arguments, struct ArrowArray *result, char message[SILT_MESSAGE_SIZE])
{
    const struct ArrowArray *text = arguments->children[0];
    const uint8_t *valid = text->buffers[0]; /* NULL: no row is NULL */
    const int64_t *offsets = text->buffers[1];
    const char *bytes = text->buffers[2];
    size_t size = (size_t)(arguments->length + 7) / 8;
    uint8_t *nulls = malloc(size + 1), *values = calloc(size + 1, 1);

    (void)self, (void)message;
    for (size_t i = 0; i < size; i++)
        nulls[i] = valid ? valid[i] : 0xff; /* NULL in, NULL out */
    for (int64_t i = 0; i < arguments->length; i++)
        if ((nulls[i / 8] >> i % 8 & 1) && luhn_valid(bytes + offsets[i], offsets[i + 1] - offsets[i]))
            values[i / 8] |= (uint8_t)(1 << i % 8);

    const void **buffers = malloc(2 * sizeof *buffers);
    buffers[0] = nulls;
    buffers[1] = values;
    *result = (struct ArrowArray){.length = arguments->length, .null_count = -1, .n_buffers = 2, .buffers = buffers, .release = release};
    return SILT_DONE;
}

int main(void)
{
    SiltExtensions *extensions = silt_extensions_new();
    SiltProblems *problems;
    SiltSession *session;
    SiltScript *script;

    check(silt_extensions_add_function(extensions,
                                       &(SiltFunction){
                                           .name = "luhn_valid",
                                           .argument_types = (const char *[]){"string"},
                                           .argument_count = 1,
                                           .result_type = "boolean",
                                           .call = call,
                                       },
                                       &problems),
          &problems);
    check(silt_session_open(NULL, &(SiltSessionOptions){.extensions = extensions}, &session, &problems), &problems);
    SiltResult *result = run_sql(session,
                                 "SELECT card, luhn_valid(card) AS valid "
                                 "FROM VALUES ('4539 1488 0343 6467'), ('8273 1232 7352 0569'), (NULL) AS t(card)",
                                 &script);
    print_rows(result);
    silt_result_free(result);
    silt_script_free(script);
    silt_session_free(session);
    silt_extensions_free(extensions);
    return 0;
}
