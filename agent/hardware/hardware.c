/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/hardware/hardware.h"

#include "lib/identity.h"

#include <ctype.h>
#include <dirent.h>
#include <hwloc.h>
#include <sys/statvfs.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <time.h>

struct hardware {
        uint32_t cpus, boards, sockets, cores, threads; /* sockets per board, cores per socket */
        uint64_t real_memory, tmp_disk;                 /* MB */
        char arch[65], os[256];
        char uuid[64], serials[IDENTITY_LIST_SIZE], macs[IDENTITY_LIST_SIZE];
};

static hwloc_topology_t load_topology(void) {
        hwloc_topology_t t;

        if (hwloc_topology_init(&t) < 0)
                return NULL;
        (void)hwloc_topology_set_all_types_filter(t, HWLOC_TYPE_FILTER_KEEP_NONE);
        (void)hwloc_topology_set_type_filter(t, HWLOC_OBJ_PACKAGE, HWLOC_TYPE_FILTER_KEEP_ALL);
        (void)hwloc_topology_set_type_filter(t, HWLOC_OBJ_CORE, HWLOC_TYPE_FILTER_KEEP_ALL);
        if (hwloc_topology_load(t) < 0) {
                hwloc_topology_destroy(t);
                return NULL;
        }
        return t;
}

static uint32_t topology_count(hwloc_topology_t t, hwloc_obj_type_t type) {
        int n = hwloc_get_nbobjs_by_type(t, type);

        return n > 0 ? (uint32_t)n : 1;
}

static void read_topology(struct hardware *h) {
        hwloc_topology_t t = load_topology();

        h->boards = 1;
        h->sockets = h->cores = h->threads = h->cpus = 1;
        if (!t)
                return;
        h->cpus = topology_count(t, HWLOC_OBJ_PU);
        h->sockets = topology_count(t, HWLOC_OBJ_PACKAGE);
        h->cores = MAX(topology_count(t, HWLOC_OBJ_CORE) / h->sockets, 1u);
        h->threads = MAX(h->cpus / (h->sockets * h->cores), 1u);
        hwloc_topology_destroy(t);
}

/* Reads the first line of a sysfs file; "" on failure. */
static void sysfs_read_line(char *ret, size_t size, const char *folder, const char *name) {
        _cleanup_free_ char *path = xasprintf("%s/%s", folder, name);
        _cleanup_fclose_ FILE *f = fopen(path, "re");

        if (!f || !fgets(ret, (int)size, f))
                *ret = 0;
        ret[strcspn(ret, "\n")] = 0;
}

/* Reads MAC addresses of network cards: only cards have a device link; bridges, bonds and
   tunnels do not. A card in a bond shows the bond's address, and has its own in bonding_slave. */
static void read_macs(char macs[IDENTITY_LIST_SIZE]) {
        static const char *const files[] = { "bonding_slave/perm_hwaddr", "address" };
        struct dirent **list;
        int n = scandir("/sys/class/net", &list, NULL, alphasort);

        for (int i = 0; i < n; i++) {
                _cleanup_free_ char *folder = xasprintf("/sys/class/net/%s", list[i]->d_name);
                _cleanup_free_ char *device = xasprintf("%s/device", folder);
                char line[64] = "";
                for (size_t k = 0; k < ELEMENTSOF(files) && !*line && access(device, F_OK) == 0;
                                k++)
                        sysfs_read_line(line, sizeof line, folder, files[k]);
                identity_add_mac(macs, line);
                free(list[i]);
        }
        if (n >= 0)
                free(list);
}

static void read_identity(struct hardware *h) {
        static const char dmi[] = "/sys/class/dmi/id";
        char line[2 * IDENTITY_WORD_MAX];

        sysfs_read_line(h->uuid, sizeof h->uuid, dmi, "product_uuid");
        sysfs_read_line(line, sizeof line, dmi, "product_serial");
        identity_add_serial(h->serials, line);
        sysfs_read_line(line, sizeof line, dmi, "board_serial");
        identity_add_serial(h->serials, line);
        read_macs(h->macs);
        for (char *p = h->uuid; *p; p++) /* lower case, as BMCs' UUIDs are shown */
                *p = (char)tolower((unsigned char)*p);
}

struct hardware *hardware_new(const char *tmp) {
        struct hardware *h = xnew0(struct hardware, 1);
        struct sysinfo info;
        struct statvfs fs;
        struct utsname u;

        read_topology(h);
        read_identity(h);
        if (sysinfo(&info) == 0)
                h->real_memory = (uint64_t)info.totalram * info.mem_unit >> 20;
        if (statvfs(isempty(tmp) ? "/tmp" : tmp, &fs) == 0)
                h->tmp_disk = (uint64_t)fs.f_blocks * fs.f_frsize >> 20;
        if (uname(&u) == 0) {
                snprintf(h->arch, sizeof h->arch, "%s", u.machine);
                snprintf(h->os, sizeof h->os, "%s %s %.100s", u.sysname, u.release, u.version);
        }
        return h;
}

struct hardware *hardware_free(struct hardware *h) {
        free(h);
        return NULL;
}

void hardware_apply(struct hardware *h, const struct config_node *n,
                const struct config_said *said) {
        if (said->cpus) {
                h->boards = n->boards;
                h->sockets = n->sockets;
                h->cores = n->cores;
                h->threads = n->threads;
                h->cpus = n->cpus;
        }
        h->real_memory = said->memory ? n->real_memory : h->real_memory;
        h->tmp_disk = n->tmp_disk ? n->tmp_disk : h->tmp_disk;
}

void hardware_message(const struct hardware *h, Slumber__Hardware *ret) {
        ret->cpus = h->cpus;
        ret->boards = h->boards;
        ret->sockets = h->sockets;
        ret->cores = h->cores;
        ret->threads = h->threads;
        ret->real_memory = h->real_memory;
        ret->tmp_disk = h->tmp_disk;
        ret->free_memory = hardware_free_memory();
        ret->load = hardware_load();
        ret->arch = (char *)h->arch;
        ret->os = (char *)h->os;
}

void hardware_identity(const struct hardware *h, Slumber__Register *ret) {
        ret->system_uuid = (char *)h->uuid;
        ret->system_serials = (char *)h->serials;
        ret->system_macs = (char *)h->macs;
}

uint64_t hardware_memory(const struct hardware *h) {
        return h->real_memory;
}

uint32_t hardware_load(void) {
        double load;

        return getloadavg(&load, 1) == 1 ? (uint32_t)(load * 100) : 0;
}

uint64_t hardware_free_swap(void) {
        struct sysinfo info;

        return sysinfo(&info) == 0 ? (uint64_t)info.freeswap * info.mem_unit >> 20 : 0;
}

uint64_t hardware_free_memory(void) {
        struct sysinfo info;

        return sysinfo(&info) == 0 ? (uint64_t)info.freeram * info.mem_unit >> 20 : 0;
}

/* /proc/stat knows the boot of a container younger than its host, but in whole seconds: up to a
   second too early, which would look like an earlier boot to a controller that has just powered
   on this node. So the exact clock is used if both agree. */
usec_t hardware_boot_time(void) {
        _cleanup_fclose_ FILE *f = fopen("/proc/stat", "re");
        usec_t booted = now_realtime() - now_boottime();
        char line[256];
        unsigned long long seconds;

        while (f && fgets(line, sizeof line, f))
                if (sscanf(line, "btime %llu", &seconds) == 1) {
                        usec_t told = seconds * USEC_PER_SEC;
                        return told < booted + USEC_PER_SEC && booted < told + USEC_PER_SEC ? booted
                                                                                            : told;
                }
        return booted;
}

/* 0 if the machine has no NUMA nodes. */
static uint32_t ldom_of(hwloc_obj_t cpu) {
        int first = cpu->nodeset ? hwloc_bitmap_first(cpu->nodeset) : -1;

        return first > 0 ? (uint32_t)first : 0;
}

static uint32_t cpu_ancestor_index(hwloc_topology_t t, hwloc_obj_t cpu, hwloc_obj_type_t type) {
        hwloc_obj_t in = hwloc_get_ancestor_obj_by_type(t, type, cpu);

        return in ? in->logical_index : 0;
}

/* NULL: unknown. */
static struct bitset *topology_memory_nodes(hwloc_topology_t t) {
        hwloc_const_nodeset_t nodes = hwloc_topology_get_allowed_nodeset(t);
        int last = nodes ? hwloc_bitmap_last(nodes) : -1;
        struct bitset *set = last >= 0 ? bitset_new((size_t)last + 1) : NULL;

        for (int i = 0; i <= last; i++)
                if (hwloc_bitmap_isset(nodes, (unsigned)i))
                        bitset_add(set, (size_t)i);
        return set;
}

struct cpu_map *hardware_cpus(void) {
        hwloc_topology_t t = load_topology();
        int n = t ? hwloc_get_nbobjs_by_type(t, HWLOC_OBJ_PU) : 0;
        struct cpu_map *m = n > 0 ? xnew0(struct cpu_map, 1) : NULL;

        if (m) {
                m->list = xnew(struct cpu, (size_t)n);
                m->memory = topology_memory_nodes(t);
        }
        for (int i = 0; i < n; i++) {
                hwloc_obj_t cpu = hwloc_get_obj_by_type(t, HWLOC_OBJ_PU, (unsigned)i);
                bool cores = hwloc_get_nbobjs_by_type(t, HWLOC_OBJ_CORE) > 0;
                struct cpu *to = &m->list[m->n++];
                to->number = cpu->os_index;
                to->core = cores ? cpu_ancestor_index(t, cpu, HWLOC_OBJ_CORE) : (uint32_t)i;
                to->socket = cpu_ancestor_index(t, cpu, HWLOC_OBJ_PACKAGE);
                to->ldom = ldom_of(cpu);
                m->bits = MAX(m->bits, (size_t)to->number + 1);
                m->cores = MAX(m->cores, to->core + 1);
                m->ldoms = MAX(m->ldoms, to->ldom + 1);
        }
        if (t)
                hwloc_topology_destroy(t);
        return m;
}

char *hardware_cpus_to_cores(const struct bitset *cpus) {
        _cleanup_(cpu_map_freep) struct cpu_map *m = hardware_cpus();
        _cleanup_(bitset_freep) struct bitset *cores = bitset_new(m ? m->cores : 1);

        for (size_t i = 0; m && i < m->n; i++)
                if (m->list[i].number < cpus->bits && bitset_has(cpus, m->list[i].number))
                        bitset_add(cores, m->list[i].core);
        return m && !bitset_empty(cores) && bitset_count(cores) < m->cores ? bitset_text(cores)
                                                                           : NULL;
}

void hardware_print(const struct hardware *h, const char *node, const char *gres, FILE *out) {
        struct timespec up;

        clock_gettime(CLOCK_BOOTTIME, &up);
        fprintf(out,
                        "NodeName=%s CPUs=%u Boards=%u SocketsPerBoard=%u CoresPerSocket=%u"
                        " ThreadsPerCore=%u RealMemory=%llu%s%s\n",
                        node, h->cpus, h->boards, h->sockets, h->cores, h->threads,
                        (unsigned long long)h->real_memory, *gres ? " Gres=" : "", gres);
        fprintf(out, "UpTime=%ld-%02ld:%02ld:%02ld\n", up.tv_sec / 86400, up.tv_sec / 3600 % 24,
                        up.tv_sec / 60 % 60, up.tv_sec % 60);
}
