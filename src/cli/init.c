/*
 * cli/init.c - `silt init`: a project that runs at once
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "cli/cli.h"

/* %1$s: name, %2$s: absolute path of the folder */
static const char spec_text[] = "# A pipeline: which SQL files define it, where its tables and checkpoints lie.\n"
                                "name: %1$s\n"
                                "storage: \"file://%2$s/pipeline-storage\"\n"
                                "database: default\n"
                                "configuration:\n"
                                "  spark.sql.sources.default: delta\n"
                                "  spark.sql.session.timeZone: UTC\n"
                                "libraries:\n"
                                "  - glob:\n"
                                "      include: transformations/**\n";

static const char orders_sql[] = "-- Each file that appears in data/orders is read once, and its rows are added to the table.\n"
                                 "CREATE OR REFRESH STREAMING TABLE orders (\n"
                                 "  CONSTRAINT has_item EXPECT (item IS NOT NULL) ON VIOLATION DROP ROW\n"
                                 ")\n"
                                 "COMMENT 'every order, as it came'\n"
                                 "AS SELECT id, item, quantity, price, placed_at\n"
                                 "FROM STREAM read_files(\n"
                                 "  'data/orders',\n"
                                 "  format => 'json',\n"
                                 "  schema => 'id BIGINT, item STRING, quantity INT, price DECIMAL(10,2), placed_at TIMESTAMP'\n"
                                 ");\n";

static const char sales_sql[] = "-- Always what the query says about all orders so far; computed again only when orders has changed.\n"
                                "CREATE OR REFRESH MATERIALIZED VIEW sales_by_item\n"
                                "COMMENT 'pieces and money by item'\n"
                                "AS SELECT item, sum(quantity) AS pieces, sum(quantity * price) AS money\n"
                                "FROM orders\n"
                                "GROUP BY item;\n";

static const char first_data[] =
    "{\"id\": 1, \"item\": \"lamp\", \"quantity\": 2, \"price\": 39.90, \"placed_at\": \"2026-01-05T09:12:00Z\"}\n"
    "{\"id\": 2, \"item\": \"chair\", \"quantity\": 4, \"price\": 85.00, \"placed_at\": \"2026-01-05T10:40:00Z\"}\n"
    "{\"id\": 3, \"item\": \"lamp\", \"quantity\": 1, \"price\": 39.90, \"placed_at\": \"2026-01-06T08:01:00Z\"}\n"
    "{\"id\": 4, \"item\": \"table\", \"quantity\": 1, \"price\": 240.00, \"placed_at\": \"2026-01-07T16:25:00Z\"}\n";

static const char second_data[] =
    "{\"id\": 5, \"item\": \"chair\", \"quantity\": 2, \"price\": 79.00, \"placed_at\": \"2026-02-02T11:30:00Z\"}\n"
    "{\"id\": 6, \"item\": \"rug\", \"quantity\": 1, \"price\": 129.50, \"placed_at\": \"2026-02-03T14:00:00Z\"}\n";

/* A test with two updates: an order without an item is refused, and one of the second day adds to a sum of the first. */
static const char test_first_data[] =
    "{\"id\": 1, \"item\": \"lamp\", \"quantity\": 2, \"price\": 10.00, \"placed_at\": \"2026-03-02T09:00:00Z\"}\n"
    "{\"id\": 2, \"item\": null, \"quantity\": 1, \"price\": 5.00, \"placed_at\": \"2026-03-02T09:30:00Z\"}\n";
static const char test_first_rows[] = "item,pieces,money\n"
                                      "lamp,2,20.00\n";
static const char test_second_data[] =
    "{\"id\": 3, \"item\": \"lamp\", \"quantity\": 1, \"price\": 9.50, \"placed_at\": \"2026-03-03T08:00:00Z\"}\n"
    "{\"id\": 4, \"item\": \"rug\", \"quantity\": 1, \"price\": 99.00, \"placed_at\": \"2026-03-03T08:10:00Z\"}\n";
static const char test_second_rows[] = "item,pieces,money\n"
                                       "lamp,3,29.50\n"
                                       "rug,1,99.00\n";

static const char ignore_text[] = "pipeline-storage/\nspark-warehouse/\n";

/* What lies in the folder; without text: a folder. */
static const struct entry {
    const char *path, *text;
} entries[] = {
    {"data", NULL},
    {"data/orders", NULL},
    {"data/orders/2026-01.json", first_data},
    {"data/orders/2026-02.json", second_data},
    {"transformations", NULL},
    {"transformations/orders.sql", orders_sql},
    {"transformations/sales_by_item.sql", sales_sql},
    {"tests", NULL},
    {"tests/two_days", NULL},
    {"tests/two_days/1", NULL},
    {"tests/two_days/1/data", NULL},
    {"tests/two_days/1/data/orders", NULL},
    {"tests/two_days/1/data/orders/monday.json", test_first_data},
    {"tests/two_days/1/expect", NULL},
    {"tests/two_days/1/expect/sales_by_item.csv", test_first_rows},
    {"tests/two_days/2", NULL},
    {"tests/two_days/2/data", NULL},
    {"tests/two_days/2/data/orders", NULL},
    {"tests/two_days/2/data/orders/tuesday.json", test_second_data},
    {"tests/two_days/2/expect", NULL},
    {"tests/two_days/2/expect/sales_by_item.csv", test_second_rows},
    {".gitignore", ignore_text},
};


static int make_folder(const char *path)
{
    if (mkdir(path, 0777) == 0)
        return 0;
    bool exists = errno == EEXIST;
    cli_refuse(exists ? "Choose another name, or remove the folder first." : NULL, "could not make \"%s\": %s", path, strerror(errno));
    return exists ? EXIT_REFUSED : EXIT_FAILED;
}

static int write_file(const char *folder, const char *name, const char *text)
{
    char *path = cli_printf("%s/%s", folder, name);
    FILE *file = fopen(path, "wx");
    int r = 0;

    if (!file || fputs(text, file) < 0)
        r = EXIT_FAILED;
    int errnum = errno;
    if (file && fclose(file) != 0 && r == 0) {
        r = EXIT_FAILED;
        errnum = errno;
    }
    if (r)
        cli_refuse(NULL, "could not write \"%s\": %s", path, strerror(errnum));
    free(path);
    return r;
}

/* The name stands in a YAML file, a folder name and messages: letters, digits, '_', '-', '.', not first a '.' or '-'. */
static bool good_name(const char *name)
{
    if (!name[0] || name[0] == '.' || name[0] == '-')
        return false;
    for (const unsigned char *p = (const unsigned char *)name; *p; p++)
        if (*p < 0x80 && !isalnum(*p) && *p != '_' && *p != '-' && *p != '.')
            return false;
    return true;
}

/* A file URI: bytes that a URI cannot hold are written as %XX. */
static char *uri_path(const char *path)
{
    char *out = cli_alloc(3 * strlen(path) + 1), *at = out;

    for (const unsigned char *p = (const unsigned char *)path; *p; p++)
        if (isalnum(*p) || strchr("/-._~", *p))
            *at++ = (char)*p;
        else
            at += sprintf(at, "%%%02X", *p);
    return out;
}

int verb_init(const Options *options)
{
    const char *name = options->name;
    char cwd[4096];

    if (!name)
        return cli_refuse("Write: silt init --name shop", "\"silt init\" needs --name NAME");
    if (!good_name(name))
        return cli_refuse("Use letters, digits, \"_\", \"-\" and \".\"", "\"%s\" cannot be the name of a pipeline", name);
    if (!getcwd(cwd, sizeof(cwd))) {
        cli_refuse(NULL, "could not find the working directory: %s", strerror(errno));
        return EXIT_FAILED;
    }
    char *folder = cli_printf("%s/%s", cwd, name), *uri = uri_path(folder);
    char *spec = cli_printf(spec_text, name, uri);

    int r = make_folder(name);
    r = r ? r : write_file(name, "spark-pipeline.yml", spec);
    for (size_t i = 0; i < sizeof(entries) / sizeof(*entries) && r == 0; i++) {
        char *path = cli_printf("%s/%s", name, entries[i].path);
        r = entries[i].text ? write_file(name, entries[i].path, entries[i].text) : make_folder(path);
        free(path);
    }
    if (r == 0)
        fprintf(stderr, "Made %s/. Next: cd %s && silt run && silt sql -c 'SELECT * FROM sales_by_item ORDER BY item'\n", name, name);
    free(folder);
    free(uri);
    free(spec);
    return r;
}
