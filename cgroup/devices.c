/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Devices that a group must not open. v1 has the file devices.deny. In v2 the kernel runs a BPF
 * program when a member opens or creates a device: it compares type and number with the list and
 * allows all other devices. Programs along the path are combined: restrictions of groups above
 * (systemd's DevicePolicy=) stay in force. */
#include "cgroup/devices.h"

#include "cgroup/group.h"

#include <fcntl.h>
#include <linux/bpf.h>
#include <sys/syscall.h>
#include <unistd.h>

#define DEVICES_MAX 1024 /* equals GRES_UNITS_MAX of model/gres.h */

int devices_deny_v1(const char *folder, const struct cg_device *list, size_t n) {
        char text[64];
        int r = 0;

        for (size_t i = 0; r >= 0 && i < n; i++) {
                snprintf(text, sizeof text, "%c %u:%u rwm", list[i].block ? 'b' : 'c',
                                list[i].major, list[i].minor);
                r = file_write(folder, "devices.deny", text);
        }
        return r;
}

static int bpf_call(int command, union bpf_attr *attr) {
        long r = syscall(SYS_bpf, command, attr, sizeof *attr);

        return r < 0 ? -errno : (int)r;
}

/* Registers: 0: result; 1: context (struct bpf_cgroup_dev_ctx); 2: type; 3 and 4: device number. */
enum { ANSWER = 0, QUESTION = 1, KIND = 2, MAJOR = 3, MINOR = 4 };

static struct bpf_insn insn_load(unsigned to, size_t offset) {
        return (struct bpf_insn){ .code = BPF_LDX | BPF_MEM | BPF_W,
                .dst_reg = to & 0xf,
                .src_reg = QUESTION,
                .off = (int16_t)offset };
}

static struct bpf_insn skip_unless(unsigned reg, uint32_t is, int16_t over) {
        return (struct bpf_insn){ .code = BPF_JMP32 | BPF_JNE | BPF_K,
                .dst_reg = reg & 0xf,
                .off = over,
                .imm = (int32_t)is };
}

static struct bpf_insn insn_answer(int32_t is) {
        return (struct bpf_insn){ .code = BPF_ALU64 | BPF_MOV | BPF_K,
                .dst_reg = ANSWER,
                .imm = is };
}

static const struct bpf_insn leave = { .code = BPF_JMP | BPF_EXIT };

static size_t device_program_write(struct bpf_insn *p, const struct cg_device *list, size_t n) {
        size_t at = 0;

        p[at++] = insn_load(KIND, offsetof(struct bpf_cgroup_dev_ctx, access_type));
        /* upper bits: access mode */
        p[at++] = (struct bpf_insn){ .code = BPF_ALU | BPF_AND | BPF_K,
                .dst_reg = KIND,
                .imm = 0xffff };
        p[at++] = insn_load(MAJOR, offsetof(struct bpf_cgroup_dev_ctx, major));
        p[at++] = insn_load(MINOR, offsetof(struct bpf_cgroup_dev_ctx, minor));
        for (size_t i = 0; i < n; i++) {
                p[at++] = skip_unless(KIND,
                                list[i].block ? BPF_DEVCG_DEV_BLOCK : BPF_DEVCG_DEV_CHAR, 4);
                p[at++] = skip_unless(MAJOR, list[i].major, 3);
                p[at++] = skip_unless(MINOR, list[i].minor, 2);
                p[at++] = insn_answer(0);
                p[at++] = leave;
        }
        p[at++] = insn_answer(1);
        p[at++] = leave;
        return at;
}

static int load_program(const struct cg_device *list, size_t n) {
        static const char license[] = "GPL", name[] = "slumber_devices";
        _cleanup_free_ struct bpf_insn *program = xnew(struct bpf_insn, 6 + 5 * n);
        union bpf_attr attr = { .prog_type = BPF_PROG_TYPE_CGROUP_DEVICE };

        attr.insn_cnt = (uint32_t)device_program_write(program, list, n);
        attr.insns = (uintptr_t)program;
        attr.license = (uintptr_t)license;
        memcpy(attr.prog_name, name, sizeof name);
        return bpf_call(BPF_PROG_LOAD, &attr);
}

bool devices_can_v2(void) {
        _cleanup_close_ int program = load_program(NULL, 0);

        return program >= 0;
}

int devices_deny_v2(const char *folder, const struct cg_device *list, size_t n) {
        _cleanup_close_ int program = n <= DEVICES_MAX ? load_program(list, n) : -E2BIG;
        _cleanup_close_ int group = open(folder, O_DIRECTORY | O_RDONLY | O_CLOEXEC);
        union bpf_attr attr = { .attach_type = BPF_CGROUP_DEVICE };

        if (program < 0)
                return program;
        if (group < 0)
                return -errno;
        attr.target_fd = (uint32_t)group;
        attr.attach_bpf_fd = (uint32_t)program;
        attr.attach_flags = BPF_F_ALLOW_MULTI;
        return bpf_call(BPF_PROG_ATTACH, &attr);
}
