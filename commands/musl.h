/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/musl.h - functions of glibc missing in musl */
#pragma once

#include <string.h>

#ifndef __GLIBC__
/* "HUP" and "Hangup" for SIGHUP; NULL: unknown signal. */
const char *sigabbrev_np(int sig);
const char *sigdescr_np(int sig);
#endif
