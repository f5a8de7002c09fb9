#pragma once
/* pipeline/files_state.h - cloud_files_state(...): file logs and batches of checkpoints, put together (this folder only) */
#include "pipeline/analysis.h"
#include "source/source.h"

/* Of all flows of a streaming table; those without a checkpoint, and sources that are not files, have no rows. 0 or < 0. */
int files_state_of_table(const AnalysisOptions *options, const Dataset *dataset, Source **out, SiltErr *err);
/* Of the checkpoint in this folder, Silt's or Spark's. `pos`: where it was named. 0, or < 0: there is none. */
int files_state_of_checkpoint(const AnalysisOptions *options, const char *path, SiltPos pos, Source **out, SiltErr *err);
