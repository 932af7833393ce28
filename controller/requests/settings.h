/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/requests/settings.h - settings of an update in the form of the pure rooms */
#pragma once

#include "controller/loop/controller.h"
#include "controller/updates/setting.h"

/* Returns the settings; the caller frees the array, the texts are borrowed. */
static inline struct update_setting *settings_of(Slumber__KeyValue *const *list, size_t n) {
        struct update_setting *settings = xnew(struct update_setting, n);

        for (size_t i = 0; i < n; i++)
                settings[i] = (struct update_setting){ list[i]->key, list[i]->value };
        return settings;
}
