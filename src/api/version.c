/*
 * api/version.c - what this library is and what it is linked with
 */
#include <string.h>
#include <yaml.h>
#include <zlib.h>
#include <zstd.h>
#include "api/internal.h"
#include "base/log.h"
#include "duck/session.h"
#include "sql/functions.h"
#include "sql/keywords.h"
#include "version.h"

const char *silt_version(void)
{
    return SILT_VERSION;
}

const char *silt_version_commit(void)
{
    return SILT_COMMIT;
}

int silt_version_library(int index, const char **name, const char **version)
{
    const struct {
        const char *name, *version;
    } libraries[] = {
        {"duckdb", duck_version()}, {"simdjson", SILT_SIMDJSON_VERSION}, {"libyaml", yaml_get_version_string()},
        {"zlib", zlibVersion()},    {"zstd", ZSTD_versionString()},
    };

    if (index < 0 || index >= (int)(sizeof(libraries) / sizeof(*libraries)))
        return 0;
    *name = libraries[index].name;
    *version = libraries[index].version;
    return 1;
}

const char *silt_sql_keyword(int index)
{
    static const char *const words[] = {
#define WORD(word) #word,
        SQL_KEYWORDS(WORD)
#undef WORD
    };

    return index >= 0 && index < (int)(sizeof(words) / sizeof(*words)) ? words[index] : NULL;
}

const char *silt_sql_function(int index)
{
    const char *const *names;
    int count = sql_function_names(&names);

    return index >= 0 && index < count ? names[index] : NULL;
}

const char *silt_nearest(const char *name, const char *const *candidates, int count)
{
    return str_nearest(str_of(name), candidates, count);
}

int silt_log_configure(const char *format, const char *level)
{
    LogLevel value;

    if (!log_level_of(level, &value) || (strcmp(format, "text") != 0 && strcmp(format, "json") != 0))
        return -1;
    log_set_level(value);
    log_set_format(strcmp(format, "json") == 0 ? LOG_FORMAT_JSON : LOG_FORMAT_TEXT);
    return 0;
}
