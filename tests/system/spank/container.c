/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plug-in in the manner of those that run tasks in containers: srun --container-image=FOLDER
 * --container-mounts=FROM:TO[,...]; the folder becomes the root of each task. */
#define _GNU_SOURCE
#include <slurm/spank.h>

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <unistd.h>

SPANK_PLUGIN(container, 1);

static char image[1024], mounts[1024];

static int set_image(int value, const char *argument, int remote) {
        (void)value, (void)remote;
        if (argument[0] != '/') {
                slurm_error("container: %s is not an absolute path", argument);
                return -1;
        }
        snprintf(image, sizeof image, "%s", argument);
        return 0;
}

static int set_mounts(int value, const char *argument, int remote) {
        (void)value, (void)remote;
        snprintf(mounts, sizeof mounts, "%s", argument);
        return 0;
}

static struct spank_option options[] = {
        { "container-image", "FOLDER", "root of the tasks", 1, 0, set_image },
        { "container-mounts", "FROM:TO[,...]", "folders of the host in it", 1, 0, set_mounts },
};

int slurm_spank_init(spank_t sp, int ac, char **av) {
        (void)ac, (void)av;
        for (int i = 0; i < 2; i++)
                if (spank_option_register(sp, &options[i]) != ESPANK_SUCCESS)
                        return -1;
        return 0;
}

static int write_file(const char *path, const char *text) {
        FILE *f = fopen(path, "w");

        if (!f)
                return -1;
        fputs(text, f);
        return fclose(f);
}

/* A user has the rights for it in a name space of its own. */
static int unshare_root(void) {
        uid_t uid = geteuid();
        gid_t gid = getegid();
        char map[64];

        if (unshare(CLONE_NEWNS | (uid == 0 ? 0 : CLONE_NEWUSER)) < 0)
                return -1;
        if (uid != 0) {
                /* what was root does not own its files in /proc otherwise */
                if (prctl(PR_SET_DUMPABLE, 1) < 0)
                        return -1;
                snprintf(map, sizeof map, "%u %u 1", uid, uid);
                if (write_file("/proc/self/uid_map", map) < 0 ||
                                write_file("/proc/self/setgroups", "deny") < 0)
                        return -1;
                snprintf(map, sizeof map, "%u %u 1", gid, gid);
                if (write_file("/proc/self/gid_map", map) < 0)
                        return -1;
        }
        return mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL);
}

static int mount_all(void) {
        char to[2048], *save = NULL;

        for (char *w = strtok_r(mounts, ",", &save); w; w = strtok_r(NULL, ",", &save)) {
                char *colon = strchr(w, ':');

                if (!colon)
                        return -1;
                *colon = 0;
                snprintf(to, sizeof to, "%s%s", image, colon + 1);
                if (mount(w, to, NULL, MS_BIND | MS_REC, NULL) < 0) {
                        slurm_error("container: cannot mount %s: %s", w, strerror(errno));
                        return -1;
                }
        }
        return 0;
}

int slurm_spank_task_init(spank_t sp, int ac, char **av) {
        char rank[16];

        (void)ac, (void)av;
        if (!image[0])
                return 0;
        if (spank_getenv(sp, "SLURM_PROCID", rank, sizeof rank) != ESPANK_SUCCESS)
                return -1;
        spank_setenv(sp, "CONTAINER_RANK", rank, 1);
        if (unshare_root() < 0 || mount_all() < 0 || chroot(image) < 0 || chdir("/") < 0) {
                slurm_error("container: %s: %s", image, strerror(errno));
                return -1;
        }
        return 0;
}
