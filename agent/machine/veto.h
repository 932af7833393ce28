/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/machine/veto.h - why this node must not be switched off now: a user is logged in, a program
 * holds a lock against shutdown or sleep, the site's own program says so. */
#pragma once

#include "lib/base.h"

#include <systemd/sd-event.h>

struct veto;
struct veto_wish {
        bool logind;                                   /* sessions and locks count */
        const char *program;                           /* NULL or "": none */
        usec_t interval;                               /* 0: 30 s */
        char *const *node;                             /* the node's name, which may change */
        bool (*busy)(void *user);                      /* the node has jobs */
        void (*changed)(const char *text, void *user); /* text: as of veto_text() */
        void *user;
};
/* As w says; may be called again.  *v: NULL at first, the caller's.  Calls changed(). */
void veto_configure(struct veto **v, sd_event *event, const struct veto_wish *w);
/* What is known, "" = nothing is against it, NULL = not known yet, as where v is NULL. */
const char *veto_text(const struct veto *v);
void veto_idle(struct veto *v); /* the last job is gone: the site's program is asked at once */
struct veto *veto_free(struct veto *v);
