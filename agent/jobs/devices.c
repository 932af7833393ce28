/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ConstrainDevices: the device files (gres.conf, File=) of generic resources not allocated to a
 * step. Missing files and files of different types are skipped. */
#include "agent/jobs/devices.h"
#include "agent/common/shards.h"
#include "agent/state/agent.h"
#include "lib/bitset.h"
#include "lib/gres.h"

#include <sys/stat.h>
#include <sys/sysmacros.h>

#define UNITS_MAX 1024 /* GRES_UNITS_MAX of model/gres.h */

/* Returns true if held ("gpu:a100:2(IDX:0,2)") contains the unit of the resource name, or shards
   of the GPU. */
static bool has_unit(const struct agent *a, const struct gres_list *held, const char *name,
                size_t unit) {
        for (size_t i = 0; held && i < held->n; i++) {
                _cleanup_(bitset_freep) struct bitset *units = bitset_new(UNITS_MAX);
                const struct gres_item *item = &held->list[i];
                if (streq(item->name, name) && item->units && bitset_parse(units, item->units) < 0)
                        bitset_clear(units);
                if (streq(name, "gpu"))
                        shards_gpus(a->gres, a->n_gres, item, units);
                if (unit < UNITS_MAX && bitset_has(units, unit))
                        return true;
        }
        return false;
}

/* Returns the number of the item's first unit: units are numbered over all items of one name. */
static size_t first_unit(const struct agent *a, size_t item) {
        size_t n = 0;

        for (size_t i = 0; i < item; i++)
                if (streq(a->gres[i]->name, a->gres[item]->name))
                        n += a->gres[i]->n_files + (size_t)a->gres[i]->count;
        return n;
}

struct cg_device *devices_not_of(const struct agent *a, const char *step_gres, size_t *ret_n) {
        _cleanup_(gres_list_freep) struct gres_list *held = NULL;
        struct cg_device *list = NULL;
        size_t allocated = 0;

        *ret_n = 0;
        (void)gres_list_parse(strempty(step_gres), GRES_HELD, &held, NULL);
        for (size_t i = 0; i < a->n_gres; i++)
                for (size_t k = 0; k < a->gres[i]->n_files; k++) {
                        struct stat st;
                        if (has_unit(a, held, a->gres[i]->name, first_unit(a, i) + k) ||
                                        stat(a->gres[i]->files[k], &st) < 0 ||
                                        !(S_ISCHR(st.st_mode) || S_ISBLK(st.st_mode)))
                                continue;
                        GROW(list, allocated, *ret_n);
                        list[(*ret_n)++] = (struct cg_device){ S_ISBLK(st.st_mode),
                                major(st.st_rdev), minor(st.st_rdev) };
                }
        return list;
}
