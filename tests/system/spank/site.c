/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plug-in in the style of those that sites have: no header but spank.h, names of Slurm's headers,
 * tables of options with casts, host lists.  It says what it has found on standard error. */
#ifdef BARE
#include <spank.h> /* -I .../slurm */
#else
#include <slurm/spank.h>
#endif
#ifdef VERSION_HEADER
#include <slurm/slurm_version.h>
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(22, 5, 0)
#error "of which Slurm is this?"
#endif
#endif

#include <stdlib.h>

#define PLUGIN_NAME site
#ifdef SEMICOLON
SPANK_PLUGIN(PLUGIN_NAME, 1);
#else
SPANK_PLUGIN(PLUGIN_NAME, 1)
#endif

#ifdef __cplusplus
extern "C" {
#endif

static uint32_t nodes = NO_VAL;
static int _set_greeting(int val, const char *optarg, int remote);

struct spank_option spank_options[] = { { (char *)"greeting", (char *)"word",
                                                        (char *)"what the plug-in says", 1, 0,
                                                        (spank_opt_cb_f)_set_greeting },
        SPANK_OPTIONS_TABLE_END };

static char greeting[64] = "hello";

static int _set_greeting(int val, const char *optarg, int remote) {
        snprintf(greeting, sizeof(greeting), "%s", optarg);
        return (SLURM_SUCCESS);
}

static void _tell(const char *text) {
        hostlist_t *hl = slurm_hostlist_create(text);
        int count = slurm_hostlist_count(hl), at = slurm_hostlist_find(hl, "x");
        char ranged[256], *first = slurm_hostlist_shift(hl);

        slurm_hostlist_push_host(hl, "x");
        slurm_hostlist_uniq(hl);
        if (slurm_hostlist_ranged_string(hl, sizeof(ranged), ranged) < 0)
                snprintf(ranged, sizeof(ranged), "errno %d", errno);
        slurm_spank_log("site: %s: %d names, x at %d, first %s, then %s", greeting, count, at,
                        first ? first : "none", ranged);
        free(first);
        slurm_hostlist_destroy(hl);
}

int slurm_spank_user_init(spank_t sp, int ac, char **av) {
        uint32_t step = SLURM_EXTERN_CONT;
        bool good = spank_get_item(sp, S_JOB_NNODES, &nodes) == ESPANK_SUCCESS &&
                    spank_get_item(sp, S_JOB_STEPID, &step) == ESPANK_SUCCESS;

        if (!good || step >= SLURM_MAX_NORMAL_STEP_ID || time(NULL) < 0 || getuid() == (uid_t)-1)
                return (SLURM_ERROR);
        _tell(ac > 0 ? av[0] : "");
        return (0);
}

#ifdef __cplusplus
}
#endif
