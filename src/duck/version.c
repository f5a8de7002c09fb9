/* duck/version.c - which DuckDB is linked */
#include "duck/session.h"

#include <duckdb.h>

const char *duck_version(void)
{
    const char *version = duckdb_library_version();
    return *version == 'v' ? version + 1 : version;
}
