/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/plugins/plugin_options.h"

#include <string.h>

size_t plugin_options_size(Slumber__PluginOption *const *options, size_t n) {
        size_t size = 0;

        for (size_t i = 0; i < n; i++)
                size += strlen(options[i]->plugin) + strlen(options[i]->option) +
                        strlen(options[i]->value) + 1;
        return size;
}
