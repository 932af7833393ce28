/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/updates/setting.h - a setting of scontrol update or create */
#pragma once

/* The text as typed; the key may end in "+" or "-".  Both are borrowed. */
struct update_setting {
        const char *key, *value;
};
