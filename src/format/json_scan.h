#pragma once
/* format/json_scan.h - where the tokens of JSON text begin: simdjson's first stage, and exact text to float */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct JsonScanner JsonScanner;

enum {
    JSON_SCAN_UTF8 = 1,    /* bytes that are not UTF-8 */
    JSON_SCAN_CONTROL = 2, /* a raw control character inside a string: also what a quote that is never closed looks like in lines */
    JSON_SCAN_UNCLOSED = 3, /* the text ends inside of a string */
};

JsonScanner *json_scanner_new(void);
void json_scanner_free(JsonScanner *scanner); /* NULL allowed */

/*
 * Find the byte index of each structural character ({ } [ ] , :) outside of strings, of each string's opening quote and of the first
 * byte of every other scalar, ascending. Two more entries behind *count hold `size`. The indexes live until the next scan.
 * Text of blanks only gives *count = 0. size must be below 4 GiB; no byte behind it is read. 0 or one of the above, which
 * speaks for the whole text: scan pieces of it to find the place.
 */
int json_scan(JsonScanner *scanner, const char *text, size_t size, const uint32_t **indexes, uint32_t *count);

bool json_utf8_valid(const char *text, size_t size);

/* The nearest float to the whole of a decimal text that the caller has checked to be a JSON number; overflow gives infinity. */
double json_text_double(const char *ptr, const char *end);
float json_text_float(const char *ptr, const char *end);

#ifdef __cplusplus
}
#endif
