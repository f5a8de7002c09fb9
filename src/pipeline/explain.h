#pragma once
/* pipeline/explain.h - a query's operators and inputs as text, shared by `silt explain` and EXPLAIN (this folder only) */
#include "pipeline/analysis.h"

/*
 * Operators of a query, as in plan/describe.h. parsed: the same query, parsed and not analyzed; query: analyzed, for what its relations are. scope: where it
 * stands; graph may be NULL.
 */
void explain_plan(StrBuf *out, Arena *arena, const Graph *graph, const GraphScope *scope, const Query *parsed, const FlowQuery *query, int indent);
/* Does an earlier input read the same in the same way? It is told once. */
bool explain_is_repeated(const FlowQuery *query, int input);
/* What an input is, one fact a line, without a newline at the end. Looks at the log of a table. */
const char *explain_input(Io *io, DuckEngine *engine, Arena *arena, PlanInput *input);
