/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/requests/foreign_requests.h"

#include "controller/clusters/far.h"
#include "controller/loop/outbox.h"
#include "controller/loop/users.h"
#include "controller/requests/handlers.h"

#define NOBODY 65534 /* the kernel's overflowuid */

static bool guest_names_have(char *const *names, size_t n, const char *name) {
        for (size_t i = 0; i < n; i++)
                if (streq(names[i], name))
                        return true;
        return false;
}

static int guest_refuse(struct controller *ctl, const struct caller *caller, const char *format,
                ...) _printf_(3, 4);
static int guest_refuse(struct controller *ctl, const struct caller *caller, const char *format,
                ...) {
        struct fail fail = { 0 };
        va_list ap;

        va_start(ap, format);
        (void)vsnprintf(fail.text, sizeof fail.text, format, ap);
        va_end(ap);
        reply_result(ctl, &caller->from, SLUMBER_ACCESS_DENIED, fail.text);
        return -EACCES;
}

/* Checks that the user has the same uid in both clusters; sets uid and gid. */
static int find_login(struct controller *ctl, const Slumber__Caller *claimed, struct caller *ret) {
        const char *own = ctl->cluster->config->cluster_name;
        int r = users_find_login(ctl->users, claimed->user, &ret->uid, &ret->gid);

        if (r == -EAGAIN)
                return r;
        if (r == -EBUSY)
                return guest_refuse(ctl, ret, USERS_BUSY);
        if (r < 0)
                return guest_refuse(ctl, ret,
                                "cluster %s does not know the user %.64s of cluster %s", own,
                                claimed->user, ret->guest->name);
        if (ret->uid != claimed->uid)
                return guest_refuse(ctl, ret,
                                "the user %.64s has uid %u in cluster %s, and uid %u in cluster %s: clusters work together for users that have the same in both",
                                claimed->user, (unsigned)ret->uid, own, (unsigned)claimed->uid,
                                ret->guest->name);
        return 0;
}

bool guest_is_operator(const struct caller *caller, const char *name) {
        return guest_names_have(caller->guest->operators, caller->guest->n_operators, name);
}

/* Returns whether only administrators of the other cluster may use the right. */
static bool needs_operator(const struct far_request *row) {
        return row->right == CLUSTER_ACCOUNTS;
}

/* Checks all rights that do not need the user's name service entry, before the look-up: a refusal
   is cheap and reveals no users of this cluster. */
static const struct far_request *find_right(struct controller *ctl, const Envelope *env,
                const struct caller *caller) {
        const char *own = ctl->cluster->config->cluster_name, *name = caller->guest->name, *why;
        const char *user = env->caller->user;
        const struct far_request *row = far_find(env, &why);

        if (!row)
                (void)guest_refuse(ctl, caller, "%s", why);
        else if (!(caller->guest->here & row->right))
                (void)guest_refuse(ctl, caller, "cluster %s does not let users of cluster %s %s",
                                own, name, cluster_right_doing(row->right));
        else if (caller->guest->only_users &&
                        !guest_names_have(caller->guest->users, caller->guest->n_users, user))
                (void)guest_refuse(ctl, caller, "cluster %s does not let %.64s of cluster %s in",
                                own, user, name);
        else if (needs_operator(row) && !guest_is_operator(caller, user))
                (void)guest_refuse(ctl, caller,
                                "cluster %s lets those of cluster %s %s whom its operators name (slumber.yaml), and %.64s is none of them",
                                own, name, cluster_right_doing(row->right), user);
        else
                return row;
        return NULL;
}

static bool uid_is_privileged(const struct controller *ctl, uid_t uid) {
        return uid == 0 || uid == ctl->cluster->config->slurm_uid;
}

int guest_identify(struct peer *p, const Envelope *env, struct caller *ret) {
        struct controller *ctl = p->ctl;
        const Slumber__Caller *claimed = env->caller;

        p->heard = now_monotonic();
        ret->guest = site_cluster_find(&ctl->cluster->config->site, conn_cluster(p->conn));
        if (!ret->guest)
                return -EACCES;
        if (!claimed && env->body_case == SLUMBER__ENVELOPE__BODY_PING && !env->ping->job_id) {
                handle_ping(ctl, ret, env); /* a sign of life for the other slumberctld */
                return -EACCES;
        }
        if (!claimed)
                return guest_refuse(ctl, ret, "the request names no user");
        ret->uid = claimed->uid;
        ret->gid = claimed->gid;
        ret->pid = (pid_t)claimed->pid;
        ret->host = ret->guest->name; /* the other cluster's host names mean nothing here */
        const struct far_request *row = find_right(ctl, env, ret);
        int r = row ? find_login(ctl, claimed, ret) : -EACCES;
        if (r < 0)
                return r;
        bool mighty = uid_is_privileged(ctl, ret->uid);
        ret->super = ret->operator= mighty && guest_is_operator(ret, claimed->user);
        bool nobody = mighty && !ret->super;
        if (nobody)
                ret->uid = ret->gid = NOBODY;
        if (nobody && row->right != CLUSTER_SHOW)
                return guest_refuse(ctl, ret, "cluster %s lets root of cluster %s only show",
                                ctl->cluster->config->cluster_name, ret->guest->name);
        return 0;
}
