/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/programs/power_status.h - reads BMCs by a child, "slumber-power status|watts|check
   --json": a slow BMC delays nothing else */
#pragma once

#include "lib/fail.h"

#include <systemd/sd-event.h>

struct power_status;

enum power_reading_kind {
        POWER_READ_OFF,
        POWER_READ_ON,
        POWER_READ_FAILED, /* error says why */
        POWER_READ_NO_BMC, /* the node is not in power.yaml */
};

struct power_reading {
        const char *node, *error;
        const char *wrong; /* of a check: why it is not the node's own BMC; NULL */
        enum power_reading_kind kind;
        bool silent;  /* it failed because its BMC has not answered in time */
        double watts; /* below 0: not read */
};

struct power_status_request {
        const char *program; /* slumber-power's path */
        const char *power_file, *slurm_conf;
        const char *hostlist;
        enum power_status_verb {
                POWER_STATUS_POWER,
                POWER_STATUS_WATTS, /* what they draw, instead of whether they are on */
                POWER_STATUS_CHECK, /* also whether it is the node's own BMC */
        } verb;
        /* duration: a BMC that has not answered by then has failed, a child that has not ended
           after twice that is killed */
        usec_t deadline;
};

/* When the child has ended, done() is called once, with a list that lives as long as the call, or
   with error set and no list; what started returned is freed after it. */
typedef void (*power_status_done_t)(const struct power_reading *list, size_t n, const char *error,
                void *user);
int power_status_start(sd_event *event, const struct power_status_request *req,
                power_status_done_t done, void *user, struct power_status **ret, struct fail *fail);
/* Kills the child; done() is not called. */
struct power_status *power_status_free(struct power_status *s); /* takes NULL, returns NULL */

/* What slumber-power prints. Strangers in it are left out; the list borrows from *ret_root, a
   json_object. */
struct json_object;
int power_status_parse(const char *text, struct json_object **ret_root,
                struct power_reading **ret_list, size_t *ret_n, struct fail *fail);
