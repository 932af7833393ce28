#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A plug-in in the manner of those for containers: srun --container-image=FOLDER --container-mounts=FROM:TO runs its tasks
# in another root.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
# shellcheck source=tests/system/plugins.sh
. "$(dirname "$0")/../plugins.sh"
at_exit cluster_end
unshare --mount $([ "$(id -u)" = 0 ] || echo --user --map-root-user) true 2>/dev/null || tap_skip_all 'no name spaces for mounts'
cluster_conf 'n[1-2]' KillWait=1 PluginDir="$DIR/plugins"
cd "$DIR" || exit 1
plugin container
echo 'required container.so' >plugstack.conf
chmod 755 "$DIR"

# an image of this host's files: a shell, two programs and their libraries
mkdir -p image/bin image/data image/tmp host
for program in sh cat ls; do
        path=$(command -v "$program")
        cp -L "$path" "image/bin/$program"
        ldd "$path" | grep -oE '/[^ ]+' | while read -r lib; do
                mkdir -p "image$(dirname "$lib")" && cp -L "$lib" "image$lib"
        done
done
echo 'of the image' >image/os-release
echo 'of the host' >host/file
ctld_start && agent_start n1 && agent_start n2 && wait_nodes 20 'n[1-2]' idle
tap_ok $? 'two nodes' || { cluster_logs; tap_done; }
s() { run timeout 60 srun "$@" </dev/null; }

s --help
tap_like "$out" '^ +--container-image=FOLDER +root of the tasks$' 'the options stand in --help'
s ls -d "$DIR"
tap_is "$rc $out" "0 $DIR" 'without the option a task has the root of its node'
s --container-image="$DIR/image" cat /os-release
tap_is "$rc $out$err" '0 of the image' 'with it, the image'
s --container-image="$DIR/image" ls -d "$DIR"
tap_ok "$([ $rc != 0 ]; echo $?)" '... and nothing of the host'
# shellcheck disable=SC2016
s -N2 -n4 -l --container-image="$DIR/image" --container-mounts="$DIR/host:/data" sh -c 'echo "$CONTAINER_RANK $(cat /data/file)"'
tap_is "$rc $(sort <<<"$out" | tr '\n' ';')" '0 0: 0 of the host;1: 1 of the host;2: 2 of the host;3: 3 of the host;' \
        'a folder of the host in it, for each task'
s --container-image="$DIR/image" --container-mounts="$DIR/none:/data" true
tap_like "$rc $err" '^1 .*slurmstepd: error: container: cannot mount .*/none: No such file' 'what cannot be mounted ends the task, and says so'
s --container-image=image true
tap_like "$rc $err" '^255 srun: error: container: image is not an absolute path' 'what srun can see to be wrong is refused before anything runs'
if [ "$(id -u)" = 0 ] && setpriv --reuid=65534 --regid=65534 --clear-groups unshare --user --map-root-user --mount true 2>/dev/null; then
        s --uid=65534 --gid=65534 --container-image="$DIR/image" cat /os-release
        tap_is "$rc $out$err" '0 of the image' 'a user has it in a name space of its own'
fi
printf '#!/bin/sh\n#SBATCH --container-image=%s/image\ncat /os-release\n' "$DIR" >job
# the script itself is in the spool of its node: the image must have it
mkdir -p "image$DIR"
run sbatch -W -o "$DIR/out" --container-mounts="$DIR:$DIR" job
tap_is "$rc $(cat out)" '0 of the image' 'a batch script runs in it, too'
cluster_sound
tap_ok $? 'no daemon has a bug'
tap_done
