#pragma once
/*
 * plan/conf.h - settings by key: `configuration` of the spec, --conf, SET in a file
 *
 * A Conf is a small immutable-once-shared list; a flow has the one that was in force where it was written. The table of known
 * keys says what each does: a key that changes results is honoured or refused, never skipped.
 */
#include "base/arena.h"
#include "sql/sql.h"

typedef struct ConfEntry {
    const char *key, *value;
    SiltPos pos; /* of the value; file NULL: the command line */
} ConfEntry;

typedef struct Conf {
    Arena *arena;
    ConfEntry *entries;
    int count, capacity;
} Conf;

/* The first is a copy that may be changed without touching the other. Entries live in arena. */
Conf *conf_copy(Arena *arena, const Conf *conf); /* NULL: empty */
/* Replaces an earlier value. Texts are borrowed (arena). */
void conf_set(Conf *conf, const char *key, const char *value, SiltPos pos);
/* NULL if it was not given. */
const char *conf_get(const Conf *conf, const char *key);
const ConfEntry *conf_entry(const Conf *conf, const char *key);

/* What holds for a known key that nobody set, in Spark's words; NULL: nothing in particular. In arena. */
const char *conf_default(Arena *arena, const char *key);
/* The known keys in the order of the table, and a word on what each takes (in arena): NULL beyond the last. */
const char *conf_known(Arena *arena, int index, const char **takes);

enum { CONF_IGNORED = 1 };
/*
 * Is this key known, and can Silt do what the value asks? 0; CONF_IGNORED for a key of another engine that cannot change results
 * (say so once in the log); < 0 with a message, a hint and pos.
 */
int conf_check(const char *key, const char *value, SiltPos pos, SiltErr *err);
/* The same for a table property (TBLPROPERTIES): `silt.` keys that a table may set. Others are not ours: CONF_IGNORED. */
int conf_check_property(const char *key, const char *value, SiltPos pos, SiltErr *err);

/* Typed readings; the fallback when the key is absent. Values were checked when they came in. */
bool conf_bool(const Conf *conf, const char *key, bool fallback);
int64_t conf_int(const Conf *conf, const char *key, int64_t fallback);
int64_t conf_interval_us(const Conf *conf, const char *key, int64_t fallback_us);
int64_t conf_size_bytes(const Conf *conf, const char *key, int64_t fallback_bytes);

/* What the analyzer needs. time_zone is borrowed from conf. */
SqlSettings conf_sql_settings(const Conf *conf);
