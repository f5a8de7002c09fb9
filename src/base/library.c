/* base/library.c - see library.h */
#include "base/library.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"

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

/* The folder of the program or of the shared library that this code is in, with a slash at its end; "" if it cannot be told. */
static void own_folder(char out[PATH_MAX])
{
    struct link_map *map = NULL;
    Dl_info info;
    ssize_t size = 0;

    if (dladdr1((const void *)library_own, &info, (void **)&map, RTLD_DL_LINKMAP) && map && *map->l_name)
        size = snprintf(out, PATH_MAX, "%s", map->l_name);
    else /* the program has no name in the loader's list */
        size = readlink("/proc/self/exe", out, PATH_MAX - 1);
    out[size > 0 && size < PATH_MAX ? size : 0] = 0;
    char *slash = strrchr(out, '/');
    out[slash ? slash + 1 - out : 0] = 0;
}

char *library_own(const char *file)
{
    /* $ORIGIN would say it in one word, but is what a sanitizer's dlopen is in, where there is one */
    static const char *const folders[] = {"", SILT_LIBRARIES "/"}; /* from where the program is; or an absolute one */
    char own[PATH_MAX];
    char path[2 * PATH_MAX];

    own_folder(own);
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        snprintf(path, sizeof path, "%s%s%s", *folders[i] == '/' ? "" : own, folders[i], file);
        if (strchr(path, '/') && access(path, R_OK) == 0)
            return silt_strdup(path);
    }
    return silt_strdup(file);
}
