#pragma once
/* api/extensions.h - what a program has added, as the pipeline takes it */
#include "pipeline/extensions.h"
#include "silt.h"

/* NULL for NULL; owned by the extensions. */
const PipelineExtensions *api__extensions(const SiltExtensions *extensions);
