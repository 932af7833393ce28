# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# tests/system/realslurm.sh - a real Slurm of Debian's packages in DIR, for tests that hold Slumber beside it; sourced after lib.sh
#
#   real_slurm_find              sets REAL_CTLD, REAL_SLURMD; skips the test where a part is not installed
#   real_slurm_conf [LINE...]    writes DIR/real/slurm.conf with what every one needs, and these lines; controller's port: REAL_PORT
#   real_munge_start             munged, ended at exit
#   real COMMAND [ARGUMENT...]   one of Slurm's commands (srun...) with that configuration

_real_program() { # PROGRAM: Debian's real one, whatever update-alternatives says
        local p
        for p in "/usr/sbin/$1-wlm" "/usr/sbin/$1"; do [ -x "$p" ] && "$p" -V 2>/dev/null | grep -q ^slurm && echo "$p" && return; done
        return 1
}
real_slurm_find() {
        [ "$(id -u)" = 0 ] || tap_skip_all 'not root: slurmd needs it'
        REAL_CTLD=$(_real_program slurmctld) || tap_skip_all 'no slurmctld of Slurm is installed (package slurmctld)'
        REAL_SLURMD=$(_real_program slurmd) || tap_skip_all 'no slurmd of Slurm is installed (package slurmd)'
        [ -x /usr/sbin/munged ] || tap_skip_all 'munge is not installed'
        grep -qa libslurmfull /usr/bin/srun 2>/dev/null || tap_skip_all 'no srun of Slurm is installed (package slurm-client)'
}
real_slurm_conf() {
        local r=$DIR/real host
        host=$(hostname -s)
        REAL_PORT=${REAL_PORT:-$PORT}
        mkdir -p "$r"/{state,log,run,munge,spool} && chmod 755 "$DIR" "$r" "$r/munge"
        (umask 077 && head -c 1024 /dev/urandom >"$r/munge/key")
        { cat <<END_OF_FILE && printf '%s\n' "$@"; } >"$r/slurm.conf"
ClusterName=real
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$REAL_PORT
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$r/munge/socket
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
StateSaveLocation=$r/state
SlurmdSpoolDir=$r/spool/%n
SlurmctldPidFile=$r/run/ctld.pid
SlurmdPidFile=$r/run/%n.pid
SlurmctldLogFile=$r/log/ctld
SlurmdLogFile=$r/log/%n
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
ReturnToService=2
END_OF_FILE
        printf 'CgroupPlugin=cgroup/v1\nCgroupAutomount=no\n' >"$r/cgroup.conf"
}
_real_end() { # FILE SECONDS
        local pid
        pid=$(cat "$1" 2>/dev/null) || return 0
        kill "$pid" 2>/dev/null
        wait_for "$2" gone "$pid" || kill -KILL "$pid"
}
real_munge_start() {
        local r=$DIR/real
        at_exit _real_end "$r/run/munged.pid" 5
        /usr/sbin/munged --force --key-file="$r/munge/key" --socket="$r/munge/socket" --pid-file="$r/run/munged.pid" \
                --log-file="$r/log/munged" --seed-file="$r/munge/seed"
        wait_for 10 test -S "$r/munge/socket"
}
real() {
        SLURM_CONF=$DIR/real/slurm.conf "/usr/bin/$1" "${@:2}"
}
