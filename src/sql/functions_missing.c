/*
 * sql/functions_missing.c - Spark's functions that Silt does not have, each with what a should know
 *
 * Together with the function table and the grammar these are all functions of Spark 4.2: analyze_test.c holds the three to Spark's own
 * list, testdata/spark_functions.txt. A function that is built leaves this table.
 */
#include <string.h>

#include "sql/functions.h"

static const struct {
    const char *names; /* parted by blanks */
    const char *why;   /* whole sentences */
} missing[] = {
    {"java_method reflect try_reflect", "It calls a method of a Java class, and there is no Java here."},
    {"spark_partition_id", "It numbers the partitions of a Spark job, which have no counterpart here."},
    {"monotonically_increasing_id", "Its numbers are made of Spark's partitions; row_number() OVER (ORDER BY ...) numbers rows by what they hold."},
    {"input_file_name", "Take the column _metadata.file_path of the files that are read, which says the same also behind a join."},
    {"input_file_block_length input_file_block_start", "It tells how Spark splits files among its tasks; there are no such splits here."},
    {"python_worker_logs", "It reads the logs of Spark's Python workers."},
    {"collations sql_keywords", "It lists what Spark's own parser knows."},
    {"current_path", "There is no path of schemas in which functions are looked up."},
    {"version", "It tells the release of Spark; that of Silt is printed by `silt version`."},
    {"measure", "Metric views are not there yet."},
    {"to_protobuf", "Protobuf is not written yet."},
    {"st_asbinary st_geogfromwkb st_geomfromwkb st_setsrid st_srid", "The types GEOMETRY and GEOGRAPHY are not there yet."},
};

bool sql_function_missing_at(int index, Str *name, const char **why)
{
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++)
        for (const char *p = missing[i].names; *p; p += strspn(p, " ")) {
            size_t size = strcspn(p, " ");

            if (index-- == 0) {
                *name = (Str){p, size};
                *why = missing[i].why;
                return true;
            }
            p += size;
        }
    return false;
}

const char *sql_function_missing(const char *name)
{
    Str each;
    const char *why;

    for (int i = 0; sql_function_missing_at(i, &each, &why); i++)
        if (each.size == strlen(name) && !strncasecmp(each.ptr, name, each.size))
            return why;
    return NULL;
}
