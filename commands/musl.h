/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/musl.h - what glibc has and musl has not */
#pragma once

#include <string.h>

#ifndef __GLIBC__
/* "HUP" and "Hangup" of SIGHUP; NULL: there is no such signal. */
const char *sigabbrev_np(int sig);
const char *sigdescr_np(int sig);
#endif
