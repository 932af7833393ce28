/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Changes from root to SlurmUser, once, before any file is opened or created: every file belongs to
 * SlurmUser, and every check of a file applies to SlurmUser.
 *
 * Only the folder of the socket, /run/slumber, is created as root: SlurmUser cannot create the
 * folder, and /run is empty after each boot. */
#include "controller/slurm_user.h"

#include "lib/wire.h"

#include <grp.h>
#include <pwd.h>
#include <sys/prctl.h>

static int no_account(const struct config *config, struct fail *fail) {
        return fail_set(fail, -ENOENT, "SlurmUser: there is no user with number %u on this host",
                        (unsigned)config->slurm_uid);
}

static int wrong_user(const struct config *config, struct fail *fail) {
        const struct passwd *pw = getpwuid(geteuid());
        _cleanup_free_ char *name = pw ? xstrdup(pw->pw_name)
                                       : xasprintf("number %u", (unsigned)geteuid());

        return fail_set(fail, -EPERM,
                        "user %s cannot start it: SlurmUser in %s is %s, so that user or root was expected",
                        name, config->path, config->slurm_user);
}

int slurm_user_become(const struct config *config, struct fail *fail) {
        const struct passwd *pw;
        int r;

        if (config->slurm_uid == geteuid())
                return 0;
        if (geteuid() != 0)
                return wrong_user(config, fail);
        pw = getpwuid(config->slurm_uid);
        if (!pw)
                return no_account(config, fail);
        r = wire_make_folder(config->site.socket, pw->pw_uid, pw->pw_gid, fail);
        if (r < 0)
                return r;
        if (initgroups(pw->pw_name, pw->pw_gid) < 0 ||
                        setresgid(pw->pw_gid, pw->pw_gid, pw->pw_gid) < 0 ||
                        setresuid(pw->pw_uid, pw->pw_uid, pw->pw_uid) < 0)
                return fail_set(fail, -errno, "cannot become SlurmUser %s: %s", pw->pw_name,
                                strerror(errno));
        /* Like a process started by SlurmUser: a crash writes a core, and programs may open the
           resume file below /proc.  Processes of SlurmUser may read the keys anyway, because they
           own the state folder. */
        (void)prctl(PR_SET_DUMPABLE, 1);
        return 0;
}
