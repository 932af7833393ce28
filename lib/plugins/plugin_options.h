/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/plugins/plugin_options.h - options of plug-ins that travel with a job or step */
#pragma once

#include "proto/slumber.pb-c.h"

/* Bytes of their names and values. */
size_t plugin_options_size(Slumber__PluginOption *const *options, size_t n);
