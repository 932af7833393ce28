/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/abilities.h - what a slumberd says at its registration that it can do: bits of Register.can
 *
 * What an earlier build does not know it drops without a word.  Where that would widen what a job
 * may do, or run it elsewhere than asked, the bit is looked at before a job or step goes there. */
#pragma once

/* Connections to others that a slumberd makes, and as many that it takes (agent/peers/peers.h). */
#define PEER_CONNECTIONS_MAX 512

enum slumberd_ability {
        CAN_STREAMS = 1 << 0,         /* takes StepIo where it listens for other slumberds */
        CAN_CONTAINERS = 1 << 1,      /* runs steps with --container in their container */
        CAN_PRIVATE_FOLDERS = 1 << 2, /* job_container/tmpfs */
        /* 1 << 3: the tree of earlier builds, without proofs and TreeRowBody.behind */
        CAN_INPUT_OF_RANK = 1 << 4, /* step daemons give input for one task to that alone */
        CAN_X11 = 1 << 5,           /* extern steps forward X11 */
        CAN_TELL_DRAINED = 1 << 6,  /* HealthCheckNodeState=NONDRAINED_IDLE */
        CAN_TELL_ORIGIN = 1 << 7,   /* answers Origin */
        CAN_TREE = 1 << 10,         /* takes TreeMessage there, and hands it on */
        CAN_INPUT_COPIES = 1 << 11, /* copies StepIo for the nodes below (StepIo.numbers) */
        /* 1 << 12: StepMaker of earlier builds, without nodes */
        CAN_CONTAINER_PMI = 1 << 13,   /* --container with PMI, and by RunTimeCreate */
        CAN_BOUND_MEMORY = 1 << 14,    /* AgentConfig.memory_rules */
        CAN_MAKE_STEPS = 1 << 15,      /* makes the steps of a job (StepMaker.nodes) */
        CAN_TAKE_STEPS = 1 << 16,      /* takes those that another node makes (MakerMessage) */
        CAN_VISIT_HOMES = 1 << 17,     /* HomeAt, Visit; of one that makes steps: MakerBegin */
        CAN_ATTACH_AT_HOMES = 1 << 18, /* HomeAt.attach, Visit.attach */
        CAN_RUN_ACTIONS = 1 << 19,     /* NodeAction */
        CAN_ALL = CAN_STREAMS | CAN_CONTAINERS | CAN_PRIVATE_FOLDERS | CAN_TREE |
                  CAN_INPUT_OF_RANK | CAN_INPUT_COPIES | CAN_X11 | CAN_TELL_DRAINED |
                  CAN_TELL_ORIGIN | CAN_MAKE_STEPS | CAN_TAKE_STEPS | CAN_CONTAINER_PMI |
                  CAN_BOUND_MEMORY | CAN_VISIT_HOMES | CAN_ATTACH_AT_HOMES | CAN_RUN_ACTIONS,
};
