/* agent/machine/veto.h - reasons against powering off this node now: a logged-in user, a lock
   against shutdown or sleep, the answer of the site's program */
/* agent/machine/veto.h - why this node must not be switched off now: a user is logged in, a program
 * holds a lock against shutdown or sleep, the site's own program says so. */
#pragma once

#include "lib/base.h"

#include <systemd/sd-event.h>

struct veto;
struct veto_wish {
        bool logind;                                   /* count sessions and locks */
        const char *program;                           /* the site's program; NULL or "": none */
        usec_t interval;                               /* 0: 30 s */
        char *const *node;                             /* the node's name, which may change */
        bool (*busy)(void *user);                      /* returns whether the node has jobs */
        void (*changed)(const char *text, void *user); /* called with the new veto_text() */
        void *user;
};
/* Sets or changes the configuration. *v: NULL at first, owned by the caller. Calls changed(). */
void veto_configure(struct veto **v, sd_event *event, const struct veto_wish *w);
/* Returns the reasons, "" = none; NULL = not yet known, or v is NULL. */
const char *veto_text(const struct veto *v);
void veto_idle(struct veto *v); /* the last job has ended: runs the site's program at once */
struct veto *veto_free(struct veto *v);
