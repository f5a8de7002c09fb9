#pragma once
/* pipeline/open_table.h - what Delta tables work with that are opened beside the flows: by queries, statements, analysis, reports */
#include "delta/table.h"

/* Borrows both. What a table warns of is written to the log, each text once in a while: a query may open one table several times. Any thread. */
DeltaEnv open_table_env(Io *io, DuckEngine *engine);
