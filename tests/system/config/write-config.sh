#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scontrol write config: what the controller runs with, in a file that slumberctld and Slurm read, whole or not at all.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf 'n[1-2]' 'Include more.conf'
echo 'InactiveLimit=120' >more.conf
ctld_start && agent_start n1 && wait_nodes 20 n1 idle
tap_ok $? 'a cluster' || { cluster_logs; tap_done; }

# ---- where, and what ----
run scontrol write config
saved=$(compgen -G 'slurm.conf.2*')
tap_is "$rc|$out|$err" "0|Slurm config saved to $DIR/$saved|" 'without a name it is beside slurm.conf'
tap_like "$saved" '^slurm\.conf\.[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}$' '... by the date'
tap_is "$(grep -c '^InactiveLimit=120$' "$saved")" 1 'an included file is in it'
shown() { # what scontrol shows of it
        scontrol show config | grep -vE '^(Configuration data|BOOT_TIME|NEXT_JOB_ID|SLURM_CONF)'
        scontrol -o show partition
        scontrol -o show node n2 | grep -oE '(Weight|AvailableFeatures|State|Reason|NodeAddr)=[^ ]*'
}
scontrol update partitionname=main MaxTime=90 && scontrol create partitionname=made Nodes=n2 AllowGroups=root,daemon &&
        scontrol update nodename=n2 weight=5 features=big state=drain reason='fan # 3' && scontrol update SuspendExcNodes+=n1
tap_ok $? 'updates'
shown >before
write() { # FILE: as that, without the date
        run scontrol write config "$1"
        [ "$rc" = 0 ] && mv "$1".2*:* "$1"
}
write now.conf
tap_like "$rc|$out|$err" '^0\|Slurm config saved to now\.conf\.[0-9T:-]{19}\|$' 'a name of its own, and the date'
tap_is "$(compgen -G '.now*')" '' '... and nothing is left beside it'

# ---- it is read again ----
ctld_stop
cp slurm.conf old.conf && cp now.conf slurm.conf
run "$CTLD" --check -f "$DIR/slurm.conf"
tap_is "$rc" 0 'slumberctld takes it' || printf '# %s\n' "$out" "$err"
rm -r state && mkdir state # nothing but the file knows of the updates
ctld_start && wait_nodes 20 n1 idle
tap_ok $? 'a start with it'
shown >after
tap_is "$(diff before after)" '' 'all is as it was'
write again.conf
tap_is "$(diff <(tail -n +2 now.conf) <(tail -n +2 again.conf))" '' 'the same is written again'

# ---- what it does not replace ----
begun=$(date +%s)
mkdir taken && for s in {0..60}; do # under each name that it can have
        t=$(date -d "@$((begun + s))" +%Y-%m-%dT%H:%M:%S)
        ln -s "$DIR/victim" "taken/link.$t" && mkfifo "taken/pipe.$t" && mkdir "taken/folder.$t"
done
for to in taken/link taken/pipe taken/folder nosuch/file; do
        run scontrol write config "$to"
        tap_like "$rc|$err" "^1\|scontrol: error: Unable to write $to\." "$to is refused"
done
tap_is "$(compgen -G victim)$(compgen -G 'taken/.[a-z]*')" '' '... and nothing is written'
run scontrol write config a b
tap_like "$rc|$err" '^1\|.*too many arguments' 'one file'

# ---- who may ----
echo AccountingStoragePass=hidden >>slurm.conf && scontrol reconfigure
write mine.conf
tap_is "$(grep -c hidden mine.conf)|$(stat -c %a mine.conf)" '1|600' 'an administrator has the passwords'
if [ "$(id -u)" = 0 ]; then
        chmod 755 "$DIR" && mkdir -m 777 open
        mkdir -p bin/copies && cp -L "$SLUMBER_BUILD/commands/slumber" bin/copies/scontrol
        run setpriv --reuid=65534 --regid=65534 --clear-groups "$DIR/bin/copies/scontrol" write config "$DIR/open/conf"
        tap_is "$rc|$(grep -c hidden open/conf.2*)|$(stat -c %u open/conf.2*)" '0|0|65534' 'a plain user has a file without'
        echo PrivateData=nodes >>slurm.conf && scontrol reconfigure
        run setpriv --reuid=65534 --regid=65534 --clear-groups "$DIR/bin/copies/scontrol" write config "$DIR/open/other"
        tap_like "$rc|$err|$(compgen -G 'open/other*')" '^1\|.*denied.*\|$' '... and none with PrivateData=nodes'
fi

# ---- a disk that is full ----
for n in {1..500}; do echo "PartitionName=small$n Nodes=n1"; done >>slurm.conf && scontrol reconfigure
if [ "$(id -u)" = 0 ] && mkdir small && unshare -m mount -t tmpfs -o size=4k none small 2>/dev/null; then
        # the text is larger than what is written at once, and than the disk
        run unshare -m bash -c 'mount -t tmpfs -o size=4k none small && { scontrol write config small/conf; r=$?; ls -A small; exit $r; }'
        tap_like "$rc|$out|$err" '^1\|\|scontrol: error: Unable to write small/conf\..*: No space left on device$' \
                'nothing is left where it does not fit'
else
        tap_ok 0 'nothing is left where it does not fit # SKIP no mount of tmpfs here'
fi
cluster_sound
tap_ok $? 'the logs are sound'
tap_done
