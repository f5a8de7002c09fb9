/*
 * cli/verbs.c - the table of verbs: everything that help, the manual and the parser of flags know
 */
#include "cli/cli.h"

#define OPT(field) offsetof(Options, field)
#define SPEC_FLAG                                                                                                                          \
    {                                                                                                                                      \
        "spec", 0, FLAG_TEXT, OPT(spec), "PATH", NULL, "the spec file; else spark-pipeline.yml is looked for here and above", NULL         \
    }
#define FORMAT_FLAG                                                                                                                        \
    {                                                                                                                                      \
        "format", 0, FLAG_TEXT, OPT(format), "FORMAT", "table|json|csv|tsv|jsonarray",                                                     \
            "how rows are printed; table on a terminal, else csv with header", NULL                                                        \
    }

/* Taken by every verb. */
const Flag cli_common_flags[] = {
    {"log-format", 0, FLAG_TEXT, OPT(log_format), "FORMAT", "text|json", "how errors and log lines are written", NULL},
    {"log-level", 0, FLAG_TEXT, OPT(log_level), "LEVEL", "error|warn|info|debug", "how much is logged; warn by default", NULL},
    {"help", 'h', FLAG_SWITCH, OPT(help), NULL, NULL, "this text", NULL},
    {0},
};

static const Flag no_flags[] = {{0}};

static const Flag init_flags[] = {
    {"name", 0, FLAG_TEXT, OPT(name), "NAME", NULL, "name of the pipeline, and of the folder that is made", NULL},
    {0},
};

static const Flag project_flags[] = {SPEC_FLAG, {0}};

static const Flag dry_run_flags[] = {
    SPEC_FLAG,
    {"conf", 0, FLAG_TEXTS, OPT(conf), "KEY=VALUE", NULL, "set a configuration key; wins over the spec file", NULL},
    {0},
};

static const Flag run_flags[] = {
    SPEC_FLAG,
    {"refresh", 0, FLAG_LIST, OPT(refresh), "A,B", NULL, "only these tables", NULL},
    {"full-refresh", 0, FLAG_LIST, OPT(full_refresh), "A,B", NULL, "empty these tables and read their sources from the start", NULL},
    {"full-refresh-all", 0, FLAG_SWITCH, OPT(full_refresh_all), NULL, NULL, "the same for every table", NULL},
    {"conf", 0, FLAG_TEXTS, OPT(conf), "KEY=VALUE", NULL, "set a configuration key; wins over the spec file", NULL},
    {"continuous", 0, FLAG_SWITCH, OPT(continuous), NULL, NULL, "go on until stopped", NULL},
    {"progress", 0, FLAG_TEXT, OPT(progress), "FILE", NULL, "append a JSON line for each batch", NULL},
    {"standby", 0, FLAG_SWITCH, OPT(standby), NULL, NULL, "wait while another process runs this pipeline, then take over", NULL},
    {"rebuild-state", 0, FLAG_TEXT, OPT(spec), "TABLE", NULL, "build a table's keyed state again", "tables with keyed state"},
    {"metrics-listen", 0, FLAG_TEXT, OPT(metrics_listen), "HOST:PORT", NULL, "answer GET /metrics as Prometheus asks; :PORT is of 127.0.0.1", NULL},
    {"statsd", 0, FLAG_TEXT, OPT(statsd), "HOST:PORT", NULL, "tell a statsd server the same numbers", NULL},
    {"statsd-prefix", 0, FLAG_TEXT, OPT(statsd_prefix), "NAME", NULL, "how their names begin; silt by default", NULL},
    {0},
};

static const Flag ingest_flags[] = {
    {"brokers", 'k', FLAG_TEXT, OPT(brokers), "HOST:PORT,..", NULL, "brokers to begin with; localhost:9092 by default", NULL},
    {"schema", 0, FLAG_TEXT, OPT(schema), "COLUMNS", NULL, "columns of a message, as in CREATE TABLE; else those of the table", NULL},
    {"format", 0, FLAG_TEXT, OPT(format), "FORMAT", "json|csv|text|avro", "how a message is decoded; json by default", NULL},
    {"from", 'o', FLAG_TEXT, OPT(from), "OFFSETS", NULL, "earliest (the default), latest or {\"topic\":{\"0\":23}}; counts at the first start only", NULL},
    {"once", 'e', FLAG_SWITCH, OPT(once), NULL, NULL, "end when all that is there now is in the table", NULL},
    {"column", 't', FLAG_TEXTS, OPT(columns), "NAME=SQL", NULL, "one more column: date=to_date(time), or offset=_metadata.offset", NULL},
    {"where", 0, FLAG_TEXT, OPT(where), "SQL", NULL, "only messages for which this holds", NULL},
    {"partition-by", 0, FLAG_LIST, OPT(partition_by), "A,B", NULL, "partition columns of a new table", NULL},
    {"freshness", 'l', FLAG_TEXT, OPT(freshness), "TIME", NULL, "how old a message may be when it is in the table: '5 minutes'; 1 second by default", NULL},
    {"max-messages", 'm', FLAG_TEXT, OPT(max_messages), "N", NULL, "offsets that a batch takes at most", NULL},
    {"group", 'g', FLAG_TEXT, OPT(group), "NAME", NULL, "consumer group that shows what was read", NULL},
    {"kafka", 'K', FLAG_TEXTS, OPT(kafka), "NAME=VALUE", NULL, "a setting of Kafka's client", NULL},
    {"option", 0, FLAG_TEXTS, OPT(read_options), "NAME=VALUE", NULL, "an option of read_kafka or of the format", NULL},
    {"conf", 0, FLAG_TEXTS, OPT(conf), "KEY=VALUE", NULL, "set a configuration key", NULL},
    {"print", 0, FLAG_SWITCH, OPT(print), NULL, NULL, "print the project that would be run, and end", NULL},
    {"progress", 0, FLAG_TEXT, OPT(progress), "FILE", NULL, "append a JSON line for each batch", NULL},
    {"standby", 0, FLAG_SWITCH, OPT(standby), NULL, NULL, "wait while another process fills this table, then take over", NULL},
    {"metrics-listen", 0, FLAG_TEXT, OPT(metrics_listen), "HOST:PORT", NULL, "answer GET /metrics as Prometheus asks; :PORT is of 127.0.0.1", NULL},
    {"statsd", 's', FLAG_TEXT, OPT(statsd), "HOST:PORT", NULL, "tell a statsd server the same numbers", NULL},
    {"statsd-prefix", 0, FLAG_TEXT, OPT(statsd_prefix), "NAME", NULL, "how their names begin; silt by default", NULL},
    {0},
};

static const Flag sql_flags[] = {
    {"command", 'c', FLAG_TEXTS, OPT(commands), "SQL", NULL, "statements to run, in one session with those before; repeatable", NULL},
    {"file", 'f', FLAG_TEXTS, OPT(files), "FILE", NULL, "a file of statements; without -c and -f they come from stdin", NULL},
    SPEC_FLAG,
    FORMAT_FLAG,
    {"quiet", 'q', FLAG_SWITCH, OPT(quiet), NULL, NULL, "no header, no count of rows", NULL},
    {"allow-managed-writes", 0, FLAG_SWITCH, OPT(managed_writes), NULL, NULL, "let statements write to the pipeline's own tables", NULL},
    {0},
};

static const Flag explain_flags[] = {
    SPEC_FLAG,
    {"format", 0, FLAG_TEXT, OPT(format), "FORMAT", "table|json|csv|tsv|jsonarray", "rows of table, flow, topic, detail instead of text", NULL},
    {0},
};

static const Flag show_flags[] = {SPEC_FLAG, FORMAT_FLAG, {0}};

static const Flag lint_flags[] = {
    SPEC_FLAG,
    {"profile", 0, FLAG_TEXT, OPT(profile), "PROFILE", "spark41|spark43|lakeflow", "the engine to look with; without it, all of them", NULL},
    {0},
};

static const Flag help_flags[] = {
    {"man", 0, FLAG_SWITCH, OPT(man), NULL, NULL, "print the manual page instead", NULL},
    {0},
};

const Verb cli_verbs[] = {
    {
        .name = "init",
        .summary = "make a project that runs",
        .arguments = "",
        .flags = init_flags,
        .description = "Makes the folder NAME with a spec file, two SQL files and a little sample data: a streaming table that reads JSON\n"
                       "files, a materialized view over it, and a test of both. `silt run` and `silt test` in it work at once. An existing folder is left\n"
                       "alone.",
        .example = "silt init --name shop\n"
                   "cd shop && silt run && silt sql -c 'SELECT * FROM sales_by_item ORDER BY item'",
        .run = verb_init,
    },
    {
        .name = "run",
        .summary = "bring the project's tables up to date",
        .arguments = "",
        .flags = run_flags,
        .description =
            "One triggered update: takes what the sources hold at the start, and ends when all of it is in the tables, each row\n"
            "exactly once. Kill it whenever you like; the next run goes on where the last sealed batch ended.\n"
            "\n"
            "Events go to stderr, worded as spark-pipelines words them. SIGINT or SIGTERM stops cleanly once the running batches\n"
            "are sealed or undone; a second signal stops at once. Exit code 0: every selected flow completed; 1: one failed;\n"
            "2: nothing was started; 130, 143: stopped by a signal.",
        .example = "silt run\n"
                   "silt run --refresh orders,daily --progress progress.jsonl\n"
                   "silt run --continuous",
        .run = verb_run,
    },
    {
        .name = "ingest",
        .summary = "fill a table from a topic, without a project",
        .arguments = "TOPIC TABLE",
        .arguments_min = 2,
        .arguments_max = 2,
        .flags = ingest_flags,
        .description =
            "Takes the messages of a Kafka topic into the Delta table in the folder TABLE, each once, until it is stopped. The table is made when\n"
            "it is not there. Messages that cannot be decoded go to the table beside it, TABLE_dead_letters, in the same batch. It is a project\n"
            "like any other, made from the flags: it lies in TABLE/_silt_ingest with its checkpoint. Signals and exit codes are those of\n"
            "`silt run`.",
        .example = "silt ingest orders lake/orders -k broker:9092 --schema 'id BIGINT, item STRING, time TIMESTAMP' \\\n"
                   "    -t 'day=to_date(time)' -t offset=_metadata.offset --partition-by day\n"
                   "silt ingest orders lake/orders -k broker:9092 --once",
        .run = verb_ingest,
    },
    {
        .name = "dry-run",
        .summary = "check the whole project, write nothing",
        .arguments = "",
        .flags = dry_run_flags,
        .description = "Reads, resolves and type-checks every statement and prints every error found, not just the first.",
        .example = "silt dry-run --spec shop/spark-pipeline.yml",
        .run = verb_dry_run,
    },
    {
        .name = "sql",
        .summary = "ask in SQL",
        .arguments = "",
        .flags = sql_flags,
        .description =
            "Runs statements, parted by `;`. In a project its tables go by name; anywhere, delta.`path`, json.`path`, csv.`path`,\n"
            "parquet.`path` and read_files(...) work. All statements are parsed before the first one runs; the first failure ends the\n"
            "script. On a terminal without -c and -f: a prompt with history.",
        .example = "silt sql -c \"SET TIME ZONE 'Europe/Berlin'\" -c 'SELECT * FROM orders' --format json\n"
                   "echo 'SELECT count(*) FROM delta.`lake/orders`' | silt sql",
        .run = verb_sql,
    },
    {
        .name = "show",
        .summary = "list the project's tables, flows or state",
        .arguments = "tables|flows|state",
        .arguments_min = 1,
        .arguments_max = 1,
        .flags = show_flags,
        .description =
            "tables: kind, place, version, rows. flows: target, last sealed batch, when, how far behind. state: what each flow keeps.",
        .example = "silt show tables\n"
                   "silt show flows --format json",
        .run = verb_show,
    },
    {
        .name = "test",
        .summary = "run the project's own tests",
        .arguments = "[NAME...]",
        .arguments_max = 1000,
        .flags = project_flags,
        .description =
            "Runs the tests below tests/, or those named. A test is a folder: input at the path where the project looks for it, and the\n"
            "rows that a table then holds as expect/TABLE.csv (json, parquet, sql). Folders 1, 2, ... in it are updates, one after the\n"
            "other; after each, the table must also be what one batch over all input so far gives. Everything happens in memory: the\n"
            "project's own tables are not touched.\n"
            "\n"
            "Exit code 0: all passed; 1: one failed; 2: none was run, as the project or a test has a mistake.",
        .example = "silt test\n"
                   "silt test first_orders",
        .run = verb_test,
    },
    {
        .name = "explain",
        .summary = "what is incremental, what is recomputed, and why",
        .arguments = "[TABLE]",
        .arguments_max = 1,
        .flags = explain_flags,
        .description =
            "For each table: where it lies, how it is written, what is expected of its rows and where those go that are set aside. For\n"
            "each flow: the operators of its query, the last one first; what it reads, from where and how much at a time; what is\n"
            "incremental and what is recomputed, and why; the state it keeps; its checkpoint. Nothing is written.",
        .example = "silt explain\n"
                   "silt explain orders --format json",
        .run = verb_explain,
    },
    {
        .name = "audit",
        .summary = "recompute a table and show the difference",
        .arguments = "TABLE",
        .arguments_min = 1,
        .arguments_max = 1,
        .flags = show_flags,
        .description =
            "Computes the table once more from exactly the source ranges that its own log names: the files, offsets and versions of\n"
            "each batch, at the same current_timestamp(). Then compares it with what it holds, row by row. Rows that others wrote or\n"
            "deleted are differences; stderr says with which commits they came. Needs no checkpoint, and writes nothing but scratch\n"
            "files below <storage>/_silt/audit.\n"
            "\n"
            "Exit code 0: equal. 1: the rows that differ are on stdout, up to 20 of each side, with only_in ('table' or 'recomputed')\n"
            "and times. 2: it cannot be done; files that were read and are gone are named.",
        .example = "silt audit orders\n"
                   "silt audit orders --format json",
        .run = verb_audit,
    },
    {
        .name = "recover",
        .summary = "rebuild a lost checkpoint from the table's log",
        .arguments = "TABLE",
        .arguments_min = 1,
        .arguments_max = 1,
        .flags = show_flags,
        .description =
            "When the checkpoint of a streaming table was removed or damaged, builds it again from what the table's own log says\n"
            "about each batch: query id, offsets, the list of files read. The next run then goes on without losing or doubling a\n"
            "row; so could Spark. A damaged checkpoint is left as it is, the new one gets the next number beside it.\n"
            "\n"
            "Refuses, and changes nothing, when the checkpoint is whole, when the log does not say enough (it names the batch), and\n"
            "while another process runs the pipeline. One row a flow on stdout.",
        .example = "silt recover orders\n"
                   "silt run",
        .run = verb_recover,
    },
    {
        .name = "checkpoint",
        .summary = "show checkpoints, or complete them for Spark",
        .arguments = "export|show [TABLE]",
        .arguments_min = 1,
        .arguments_max = 2,
        .flags = show_flags,
        .description =
            "show: one row for each source of a streaming flow that has run: last sealed batch, query id, how many files its log\n"
            "remembers, and whether Spark could go on from it (spark_ready).\n"
            "\n"
            "export: makes that so. Beyond 10,000 remembered files a run does not always write the list of all files that Spark\n"
            "wants of every tenth batch, since that costs as much as all files ever taken; export writes it, and shows the same rows.\n"
            "Refuses while another process runs the pipeline.",
        .example = "silt checkpoint show\n"
                   "silt checkpoint export orders",
        .run = verb_checkpoint,
    },
    {
        .name = "lint",
        .summary = "say what another engine would refuse",
        .arguments = "",
        .flags = lint_flags,
        .description =
            "Looks at the project's SQL as Spark 4.1, Spark 4.3 or Lakeflow would: what is refused there (an error) or means something\n"
            "else there (a warning), why, and what to write instead. Nothing is run; the project need not be one that Silt can run.\n"
            "\n"
            "Exit code 0: nothing is refused; 1: something is; 2: a file could not be read.",
        .example = "silt lint --profile spark43\n"
                   "silt lint --profile lakeflow --log-format json",
        .run = verb_lint,
    },
    {
        .name = "version",
        .summary = "version, commit, linked libraries",
        .arguments = "",
        .flags = no_flags,
        .description = "Prints the version of Silt, the commit it was built from, and the versions of the libraries it is linked with.",
        .example = "silt version",
        .run = verb_version,
    },
    {
        .name = "help",
        .summary = "what a verb does",
        .arguments = "[VERB]",
        .arguments_max = 1,
        .flags = help_flags,
        .description = "Prints the list of verbs, or what `silt VERB --help` prints.",
        .example = "silt help run",
        .run = verb_help,
    },
    /* Known, so that a project written for a later Silt gets a straight answer. */
    {.name = "serve", .summary = "serve tables over the network", .arguments = "", .flags = project_flags},
    {0},
};
