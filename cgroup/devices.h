/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cgroup/devices.h - device files that a group must not open; for cgroup/ only */
#pragma once

#include "cgroup/system.h"

/* v1: writes devices.deny of the folder. */
int devices_deny_v1(const char *folder, const struct cg_device *list, size_t n);
/* v2: attaches a small BPF program, which stays as long as the folder. */
int devices_deny_v2(const char *folder, const struct cg_device *list, size_t n);
bool devices_can_v2(void); /* the kernel accepts such programs from this process */
