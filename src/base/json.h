#pragma once
/* base/json.h - JSON documents (logs, checkpoints, options) as values in an arena; not for data records (format/json.h) */
#include "base/arena.h"
#include "base/str.h"

typedef enum JsonKind { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT } JsonKind;

typedef struct Json Json; /* immutable, lives in the arena it was parsed into */

/*
 * Parse one whole document. Numbers keep their exact text. Fails as INPUT with the byte position (from 0) in the message.
 * Duplicate keys: the last value wins, in the place of the first. Nesting deeper than JSON_LEVELS_MAX is refused, so are bytes that are
 * not UTF-8; an escaped half of a surrogate pair reads as U+FFFD. The text may go away afterwards.
 */
int json_parse(Arena *arena, Str text, const Json **out, SiltErr *err);

JsonKind json_kind(const Json *json); /* NULL counts as JSON_NULL, so that lookups can be chained */
bool json_is_null(const Json *json);
int json_size(const Json *json);                           /* items of an array, members of an object, else 0 */
const Json *json_at(const Json *array, int index);         /* NULL when out of range or no array */
const Json *json_get(const Json *object, const char *key); /* NULL when absent or no object */
Str json_member_key(const Json *object, int index);
const Json *json_member_value(const Json *object, int index);
/* Value or the fallback when it is absent, null or of another kind. */
Str json_str(const Json *json, const char *fallback);
const char *json_cstr(const Json *json, const char *fallback); /* NUL-terminated; a value with an inner NUL is cut */
bool json_bool(const Json *json, bool fallback);
int64_t json_int(const Json *json, int64_t fallback);  /* also when the number has a fraction or does not fit */
double json_double(const Json *json, double fallback); /* nearest; out of range: an infinity */
Str json_number_text(const Json *json);                /* "" unless a number */

/* ---- writing: compact JSON into a StrBuf ---- */
void json_put_str(StrBuf *out, Str text);     /* quoted and escaped; bytes that are not UTF-8 become U+FFFD */
void json_put(StrBuf *out, const Json *json); /* a whole value, exactly as read */

enum { JSON_LEVELS_MAX = 512 }; /* what is written can be read: the schema of a type of TYPE_DEPTH_MAX levels takes three for each */

/* Commas are put by the writer. Zero-initialise with .out set. At most JSON_LEVELS_MAX levels. */
typedef struct JsonWriter {
    StrBuf *out;
    uint64_t has_item[JSON_LEVELS_MAX / 64 + 1]; /* bit per depth */
    int depth;
    bool after_key;
} JsonWriter;

void json_object(JsonWriter *w);
void json_object_end(JsonWriter *w);
void json_array(JsonWriter *w);
void json_array_end(JsonWriter *w);
void json_key(JsonWriter *w, const char *key);
void json_key_str(JsonWriter *w, Str key);
void json_text(JsonWriter *w, const char *text); /* NULL writes null */
void json_text_str(JsonWriter *w, Str text);
void json_integer(JsonWriter *w, int64_t value);
void json_boolean(JsonWriter *w, bool value);
void json_null(JsonWriter *w);
void json_raw(JsonWriter *w, Str text);           /* a value that is JSON already */
void json_value(JsonWriter *w, const Json *json); /* exactly as read; NULL writes null */
/* key + value in one */
void json_member(JsonWriter *w, const char *key, const char *text);
void json_member_int(JsonWriter *w, const char *key, int64_t value);
void json_member_bool(JsonWriter *w, const char *key, bool value);
