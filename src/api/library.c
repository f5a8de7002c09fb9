/* api/library.c - the one source of the shared library; all else comes from the floors (meson.build) */
#include "silt.h"
