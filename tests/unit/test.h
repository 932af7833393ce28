/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/unit/test.h - cmocka and what it needs before it, in the right order */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
