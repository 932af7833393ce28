/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/updates/setting.h - one setting of scontrol update or create */
#pragma once

/* As typed; the key perhaps with a "+" or "-" behind it.  Both are borrowed. */
struct update_setting {
        const char *key, *value;
};
