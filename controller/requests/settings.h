/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/requests/settings.h - the settings of an update as the pure rooms take them */
#pragma once

#include "controller/loop/controller.h"
#include "controller/updates/setting.h"

/* The array is the caller's, to be freed; its texts are the message's. */
static inline struct update_setting *settings_of(Slumber__KeyValue *const *list, size_t n) {
        struct update_setting *settings = xnew(struct update_setting, n);

        for (size_t i = 0; i < n; i++)
                settings[i] = (struct update_setting){ list[i]->key, list[i]->value };
        return settings;
}
