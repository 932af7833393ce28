/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/plugins/plugin_options.h - plug-ins' options that are sent with a job or step */
#pragma once

#include "proto/slumber.pb-c.h"

/* Returns the total bytes of the options' names and values. */
size_t plugin_options_size(Slumber__PluginOption *const *options, size_t n);
