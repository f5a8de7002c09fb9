/* sql/functions.c - the table of function tables, looked up by name */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "sql/functions.h"

static const SqlFunction *const tables[] = {
    sql_functions_avro, sql_functions_csv, sql_functions_format, sql_functions_math, sql_functions_protobuf,
    sql_functions_string, sql_functions_time, sql_functions_collection, sql_functions_aggregate, sql_functions_misc,
    sql_functions_variant, sql_functions_random, sql_functions_sketch, sql_functions_datasketch, sql_functions_clock,
    sql_functions_bucket, sql_functions_cipher, sql_functions_percentile, sql_functions_top_k, sql_functions_tuple, sql_functions_vector, sql_functions_xml,
};

enum { NAMES_MAX = 1024 };

/* First rows of all names, sorted; made once. */
static const SqlFunction *sorted[NAMES_MAX];
static const char *names[NAMES_MAX];
static int name_count;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static int by_name(const void *x, const void *y)
{
    return strcmp((*(const SqlFunction *const *)x)->name, (*(const SqlFunction *const *)y)->name);
}

static void sort_names(void)
{
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (const SqlFunction *f = tables[t]; f->name; f++) {
            if (f != tables[t] && !strcmp(f->name, f[-1].name))
                continue;
            silt_assert(name_count < NAMES_MAX);
            sorted[name_count++] = f;
        }
    qsort(sorted, (size_t)name_count, sizeof *sorted, by_name);
    for (int i = 0; i < name_count; i++) {
        silt_assert(!i || strcmp(sorted[i]->name, sorted[i - 1]->name)); /* rows of one name stand together */
        names[i] = sorted[i]->name;
    }
}

const SqlFunction *sql_function_find(const char *name)
{
    int low = 0, high;

    pthread_once(&once, sort_names);
    high = name_count - 1;
    while (low <= high) {
        int middle = (low + high) / 2, order = strcasecmp(name, sorted[middle]->name);

        if (!order)
            return sorted[middle];
        if (order < 0)
            high = middle - 1;
        else
            low = middle + 1;
    }
    return NULL;
}

const char *sql_function_nearest(const char *name)
{
    pthread_once(&once, sort_names);
    return str_nearest(str_of(name), names, name_count);
}

int sql_function_names(const char *const **out)
{
    pthread_once(&once, sort_names);
    *out = names;
    return name_count;
}
