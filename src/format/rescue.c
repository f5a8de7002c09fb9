/* format/rescue.c - see rescue.h */
#include "format/rescue.h"

#include "base/json.h"

void rescue_fini(Rescue *rescue)
{
    str_buf_fini(&rescue->text);
    for (int i = 0; i < RESCUE_DEPTH_MAX; i++)
        str_buf_fini(&rescue->open[i]);
}

void rescue_clear(Rescue *rescue)
{
    str_buf_clear(&rescue->text);
    rescue->depth = 0;
    rescue->any = false;
    rescue->has_member[0] = false;
}

static void put_name(Rescue *rescue, Str name)
{
    if (rescue->has_member[rescue->depth])
        str_buf_putc(&rescue->text, ',');
    rescue->has_member[rescue->depth] = true;
    json_put_str(&rescue->text, name);
    str_buf_putc(&rescue->text, ':');
}

/* Close what the path does not share, open the rest; then the last name. */
static void move_to(Rescue *rescue, const Str *path, int depth)
{
    silt_assert(depth >= 1 && depth <= RESCUE_DEPTH_MAX);
    if (!rescue->any) {
        rescue->any = true;
        str_buf_putc(&rescue->text, '{');
    }
    int shared = 0;
    while (shared < rescue->depth && shared < depth - 1 && str_equal(str_buf_view(&rescue->open[shared]), path[shared]))
        shared++;
    for (; rescue->depth > shared; rescue->depth--)
        str_buf_putc(&rescue->text, '}');
    for (; rescue->depth < depth - 1;) {
        Str name = path[rescue->depth];
        put_name(rescue, name);
        str_buf_putc(&rescue->text, '{');
        str_buf_clear(&rescue->open[rescue->depth]);
        str_buf_str(&rescue->open[rescue->depth], name);
        rescue->has_member[++rescue->depth] = false;
    }
    put_name(rescue, path[depth - 1]);
}

void rescue_put(Rescue *rescue, const Str *path, int depth, Str value)
{
    move_to(rescue, path, depth);
    str_buf_str(&rescue->text, value);
}

void rescue_put_text(Rescue *rescue, const Str *path, int depth, Str text)
{
    move_to(rescue, path, depth);
    json_put_str(&rescue->text, text);
}

Str rescue_finish(Rescue *rescue, const char *file_path)
{
    silt_assert(rescue->any);
    for (; rescue->depth > 0; rescue->depth--)
        str_buf_putc(&rescue->text, '}');
    if (file_path) {
        put_name(rescue, STR("_file_path"));
        json_put_str(&rescue->text, str_of(file_path));
    }
    str_buf_putc(&rescue->text, '}');
    return str_buf_view(&rescue->text);
}
