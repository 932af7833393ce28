/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cgroup/devices.h - inside cgroup/: device files that a group must not open */
#pragma once

#include "cgroup/system.h"

/* v1: devices.deny of that folder. */
int devices_deny_v1(const char *folder, const struct cg_device *list, size_t n);
/* v2 has no such file: a small BPF program says no.  It stays as long as the folder does. */
int devices_deny_v2(const char *folder, const struct cg_device *list, size_t n);
bool devices_can_v2(void); /* this kernel takes such programs from us */
