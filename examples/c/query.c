/* query.c - ask in SQL, take the rows as text, then as Arrow arrays */
#include "common.h"

int main(int argc, char **argv)
{
    const char *sql = argc > 1 ? argv[1] : "SELECT id, id * id AS square FROM range(5)";
    SiltProblems *problems;
    SiltSession *session;
    SiltScript *script;

    check(silt_session_open(NULL, NULL, &session, &problems), &problems);

    SiltResult *result = run_sql(session, sql, &script);
    print_rows(result);
    silt_result_free(result);
    silt_script_free(script);

    struct ArrowArrayStream stream;
    struct ArrowArray array;
    int64_t rows = 0;
    int error;
    silt_result_to_arrow(run_sql(session, sql, &script), &stream); /* the result belongs to the stream now */
    while ((error = stream.get_next(&stream, &array)) == 0 && array.release) {
        rows += array.length;
        array.release(&array);
    }
    if (error)
        fprintf(stderr, "%s\n", stream.get_last_error(&stream));
    stream.release(&stream);
    printf("%lld rows as Arrow\n", (long long)rows);

    silt_script_free(script);
    silt_session_free(session);
    return error ? 1 : 0;
}
