/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The v1 freezer: freezer.state is THAWED, FREEZING or FROZEN, without events. SIGKILL takes effect
 * after the thaw. */
#include "cgroup/group.h"

static int v1_populated(struct cg *g) {
        struct pid_set set = { 0 };
        int r = group_pids(g, &set), populated = set.n > 0;

        pid_set_done(&set);
        return r < 0 ? r : populated;
}

static int v1_set_frozen(struct cg *g, bool frozen) {
        return file_write(g->folder[CG_MAIN], "freezer.state", frozen ? "FROZEN" : "THAWED");
}

static int v1_frozen(struct cg *g) {
        char state[32];
        int r = file_read(g->folder[CG_MAIN], "freezer.state", state, sizeof state);

        return r < 0 ? r : streq(state, "FROZEN");
}

static bool v1_asked(struct cg *g) {
        char wish[8];

        return file_read(g->folder[CG_MAIN], "freezer.self_freezing", wish, sizeof wish) >= 0 &&
               streq(wish, "1");
}

const struct cg_ops cg_v1 = {
        .name = "cgroup/v1",
        .key = "v1",
        .enter = group_enter,
        .move = group_move,
        .pids = group_pids,
        .populated = v1_populated,
        .set_frozen = v1_set_frozen,
        .frozen = v1_frozen,
        .asked = v1_asked,
        .kill = group_kill_frozen,
        .remove = group_remove,
};
