/* delta/conflict_test.c - the outcome table: ours in rows, the winner in columns, a test for each pair */
#include "delta/delta_test.h"
#include "delta/internal.h"

enum ours { BLIND_APPEND, STREAMING_APPEND, OVERWRITE, SCHEMA_CHANGE, REARRANGE, PROTOCOL_CHANGE, OURS };
enum theirs {
    APPEND,
    DELETE_OTHER,
    DELETE_SAME,
    OPTIMIZE_OTHER,
    OPTIMIZE_SAME,
    METADATA,
    FEATURE_TOLERANT,
    FEATURE_STRICT,
    SAME_APP,
    NOTHING,
    THEIRS
};

static const char *const ours_names[] = {"blind append", "streaming append", "overwrite", "schema change", "rearrange", "protocol change"};
static const char *const their_names[] = {
    "append",   "delete of other files", "delete of the same file", "optimize of other files", "optimize of the same file",
    "metadata", "tolerant feature",      "strict feature",          "same application",        "nothing"};

#define OK_   NULL
#define META  "DELTA_METADATA_CHANGED"
#define PROT  "DELTA_PROTOCOL_CHANGED"
#define TXN   "DELTA_CONCURRENT_TRANSACTION"
#define APP   "DELTA_CONCURRENT_APPEND"
#define DREAD "DELTA_CONCURRENT_DELETE_READ"
#define DDEL  "DELTA_CONCURRENT_DELETE_DELETE"

/* clang-format off */
static const char *const expected[OURS][THEIRS] = {
    /*                     append  del other del same optim other optim same metadata tolerant strict same app nothing */
    [BLIND_APPEND] =     {OK_,    OK_,      OK_,     OK_,        OK_,       META,    OK_,     PROT,  OK_,     OK_},
    [STREAMING_APPEND] = {OK_,    OK_,      OK_,     OK_,        OK_,       META,    OK_,     PROT,  TXN,     OK_},
    [OVERWRITE] =        {APP,    DREAD,    DREAD,   OK_,        DDEL,      META,    OK_,     PROT,  OK_,     OK_},
    [SCHEMA_CHANGE] =    {OK_,    OK_,      OK_,     OK_,        OK_,       META,    OK_,     PROT,  OK_,     OK_},
    [REARRANGE] =        {OK_,    OK_,      DDEL,    OK_,        DDEL,      META,    OK_,     PROT,  OK_,     OK_},
    [PROTOCOL_CHANGE] =  {OK_,    OK_,      OK_,     OK_,        OK_,       META,    PROT,    PROT,  OK_,     OK_},
};
/* clang-format on */

static DeltaIntent intent_of(enum ours ours)
{
    static const char *apps[] = {"query"};
    static const char *removed[] = {"a", "mine", "z"};
    switch (ours) {
    case BLIND_APPEND:
        return (DeltaIntent){.is_blind_append = true};
    case STREAMING_APPEND:
        return (DeltaIntent){.is_blind_append = true, .app_ids = apps, .app_id_count = 1};
    case OVERWRITE:
        return (DeltaIntent){.reads_table = true, .removed = removed, .removed_count = 3};
    case SCHEMA_CHANGE:
        return (DeltaIntent){.is_blind_append = true, .changes_metadata = true};
    case REARRANGE:
        return (DeltaIntent){.only_rearranges = true, .removed = removed, .removed_count = 3};
    default:
        return (DeltaIntent){.is_blind_append = true, .changes_protocol = true};
    }
}

static DeltaCommit winner_of(enum theirs theirs)
{
    static DeltaFile fresh = {.path = "new", .name = "new", .data_change = true}, moved = {.path = "big", .name = "big"};
    static DeltaRemove other = {.path = "other", .name = "other", .data_change = true},
                       same = {.path = "mine", .name = "mine", .data_change = true}, other_moved = {.path = "other", .name = "other"},
                       same_moved = {.path = "mine", .name = "mine"};
    static DeltaTxnVersion app = {"query", 7, 0};
    static const DeltaMetadata metadata;
    static const char *tolerant_names[] = {"appendOnly", "invariants", "deletionVectors"},
                      *strict_names[] = {"appendOnly", "invariants", "clustering"};
    static const DeltaProtocol tolerant = {.min_reader = 3, .min_writer = 7, .writer_features = tolerant_names, .writer_feature_count = 3},
                               strict = {.min_reader = 1, .min_writer = 7, .writer_features = strict_names, .writer_feature_count = 3};
    DeltaCommit commit = {.version = 5, .operation = "X"};
    switch (theirs) {
    case APPEND:
        commit.adds = &fresh;
        commit.add_count = 1;
        break;
    case DELETE_OTHER:
        commit.removes = &other;
        commit.remove_count = 1;
        break;
    case DELETE_SAME:
        commit.removes = &same;
        commit.remove_count = 1;
        break;
    case OPTIMIZE_OTHER:
    case OPTIMIZE_SAME:
        commit.adds = &moved;
        commit.add_count = 1;
        commit.removes = theirs == OPTIMIZE_SAME ? &same_moved : &other_moved;
        commit.remove_count = 1;
        break;
    case METADATA:
        commit.metadata = &metadata;
        break;
    case FEATURE_TOLERANT:
        commit.protocol = &tolerant;
        break;
    case FEATURE_STRICT:
        commit.protocol = &strict;
        break;
    case SAME_APP:
        commit.txns = &app;
        commit.txn_count = 1;
        break;
    default:
        break;
    }
    return commit;
}

static void each_pair_comes_out_as_the_table_says(void **state)
{
    const DeltaProtocol base = {.min_reader = 1, .min_writer = 2};
    for (int ours = 0; ours < OURS; ours++)
        for (int theirs = 0; theirs < THEIRS; theirs++) {
            SiltErr err = {0};
            DeltaIntent intent = intent_of((enum ours)ours);
            DeltaCommit winner = winner_of((enum theirs)theirs);
            int r = delta__conflict(&intent, &winner, &base, &err);
            const char *want = expected[ours][theirs] ? expected[ours][theirs] : "";
            if (r != (*want ? DELTA_CONFLICT : 0) || strcmp(err.code, want) != 0)
                fail_msg("%s against %s: '%s' (%s), expected '%s'", ours_names[ours], their_names[theirs], err.code, err.message, want);
        }
}

static void a_dropped_feature_is_a_conflict(void **state)
{
    SiltErr err;
    static const char *both[] = {"appendOnly", "deletionVectors"}, *one[] = {"appendOnly"};
    const DeltaProtocol base = {.min_writer = 7, .writer_features = both, .writer_feature_count = 2},
                        less = {.min_writer = 7, .writer_features = one, .writer_feature_count = 1};
    const DeltaIntent intent = {.is_blind_append = true};
    const DeltaCommit winner = {.version = 5, .protocol = &less};
    assert_int_equal(delta__conflict(&intent, &winner, &base, &err), DELTA_CONFLICT);
    assert_non_null(strstr(err.message, "drops the table feature deletionVectors"));
}

static void a_domain_of_both_is_a_conflict(void **state)
{
    SiltErr err;
    static const char *domains[] = {"my.domain"};
    static DeltaDomain other = {"other.domain", "{}"}, mine = {"my.domain", NULL};
    const DeltaProtocol base = {.min_writer = 2};
    const DeltaIntent intent = {.domains = domains, .domain_count = 1};
    DeltaCommit winner = {.version = 5, .domains = &other, .domain_count = 1};
    assert_int_equal(delta__conflict(&intent, &winner, &base, &err), 0);
    winner.domains = &mine;
    assert_int_equal(delta__conflict(&intent, &winner, &base, &err), DELTA_CONFLICT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_pair_comes_out_as_the_table_says),
        cmocka_unit_test(a_dropped_feature_is_a_conflict),
        cmocka_unit_test(a_domain_of_both_is_a_conflict),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
