#pragma once
/* source/extension.h - sources of the program that Silt is a part of (SiltSource in silt.h): FROM STREAM name(option => 'value') */
#include "source/source.h"

extern const SourceOps source_extension;
