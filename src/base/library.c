/* base/library.c - see library.h */
#include "base/library.h"

#include <dlfcn.h>
#include <stdio.h>

void library_load(const char *const *names, const LibraryFunction *functions, size_t count, char why[LIBRARY_WHY_SIZE])
{
    void *library = NULL;

    *why = 0;
    for (size_t i = 0; !library && names[i]; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        snprintf(why, LIBRARY_WHY_SIZE, "%s", dlerror());
        return;
    }
    for (size_t i = 0; i < count; i++) {
        *functions[i].function = dlsym(library, functions[i].name);
        if (!*functions[i].function)
            snprintf(why, LIBRARY_WHY_SIZE, "it has no function %s", functions[i].name);
    }
}
