/* SPDX-License-Identifier: GPL-3.0-or-later */
/* To be preloaded: the wall clock of this one program is set.  The file $SETCLOCK says by how many
 * seconds it is off; it is looked at with each reading, so that the clock can be set while the
 * program runs.  Other clocks are left alone. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long off(void) {
        const char *path = getenv("SETCLOCK");
        char text[32] = "";
        int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;

        if (fd >= 0) {
                if (read(fd, text, sizeof text - 1) < 0)
                        *text = 0;
                close(fd);
        }
        return strtol(text, NULL, 10);
}

int clock_gettime(clockid_t clock, struct timespec *ts) {
        long r = syscall(SYS_clock_gettime, clock, ts);

        if (r == 0 && clock == CLOCK_REALTIME)
                ts->tv_sec += off();
        return (int)r;
}

time_t time(time_t *ret) {
        struct timespec ts = { 0 };

        clock_gettime(CLOCK_REALTIME, &ts);
        if (ret)
                *ret = ts.tv_sec;
        return ts.tv_sec;
}
