#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# AutoDetect=nvml and rsmi, with a double of the vendors' libraries, since no test machine has a GPU (tests/tools/gpulib.c says what
# that shows and what it does not): what is found, what is told where the library is not there, fails, crashes or says nonsense.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
unset LD_LIBRARY_PATH
mkdir lib less
ln -s "$SLUMBER_BUILD/tests/tools/gpulib.so" lib/libnvidia-ml.so.1
ln -s "$SLUMBER_BUILD/tests/tools/gpulib.so" lib/librocm_smi64.so
ln -s "$SLUMBER_BUILD/tests/tools/gpulib-less.so" less/libnvidia-ml.so.1
found() { LD_LIBRARY_PATH=$DIR/lib "$SLUMBERD" -G 2>err | grep nvml; }

cluster_conf 'n[1-2]' 'GresTypes=gpu,shard' 'NodeName=n1 NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000 Gres=gpu:t4:1,gpu:a100:1' \
        'NodeName=n2 NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000 Gres=gpu:2,shard:4'
echo 'AutoDetect=oneapi' >gres.conf
run "$CTLD" --check -f "$SLURM_CONF"
tap_like "$rc|$err" '^1\|.*AutoDetect=oneapi is not implemented by Slumber' 'another way is refused by name'
printf '%s\n' 'AutoDetect=nvml' 'NodeName=n2 AutoDetect=off Name=gpu File=/dev/null' 'NodeName=n2 AutoDetect=rsmi' >gres.conf
run "$CTLD" --check -f "$SLURM_CONF"
tap_like "$rc|$out$err" 'gres.conf line 3: AutoDetect=rsmi: node n2 has AutoDetect=off already' 'a node has one way'
echo 'AutoDetect=nvml' >gres.conf
echo "NodeName=n2 Name=gpu File=/dev/nvidia[0-1]" >>gres.conf
ctld_start || { cluster_logs; tap_ok 1 'a controller'; tap_done; }

# A library that hangs holds up nothing but the registration, and that for 20 s: n2's, while the next tests run.
hangs() {
        GPULIB_DO=hang LD_LIBRARY_PATH=$DIR/lib agent_start "$1"
        wait_for 20 grep -q 'AutoDetect=nvml: the library is asked' "log/$1"
}
hangs n2 && hangs n1
tap_ok $? 'a library is asked before the node registers' || cluster_logs
SLUMBER_SOCKET=$DIR/n1.sock run timeout 10 scontrol listpids
tap_is "$rc|$err" '0|' '... while it hangs slumberd answers what it knows itself'
SLUMBER_SOCKET=$DIR/n1.sock run timeout 10 sinfo
tap_like "$rc|$err" '^1\|.*Unable to contact slurm controller' '... what only the controller knows is refused at once'
tap_is "$(sinfo -h -N -o '%N %t' | paste -sd' ')" 'n1 unk n2 unk' '... and the nodes are not in use'
pid=$(cat run/n1.pid)
mapfile -t children < <(tr ' ' '\n' <"/proc/$pid/task/$pid/children" | grep .)
kill -TERM "$pid"
all_gone() { local p; for p in "$pid" "${children[@]}"; do gone "$p" || return; done; }
wait_for 5 all_gone
tap_ok $? '... and SIGTERM ends slumberd and the child that asks'
agent_stop n1

# Cores are those of this machine: with one alone its GPUs lie near all.
tap_like "$(found)" 'Gres Name=gpu Type=tesla_t4 Count=1 Index=0 File=/dev/nvidia0( Cores=[0-9]+)? Links=-1,2 AutoDetect=nvml
Gres Name=gpu Type=nvidia_a100-sxm4-40gb Count=1 Index=1 File=/dev/nvidia1( Cores=[0-9]+)? Links=2,-1 AutoDetect=nvml' \
        '-G: GPUs in the order of their addresses, with links'
tap_like "$(LD_LIBRARY_PATH=$DIR/lib "$SLUMBERD" -G 2>/dev/null | grep rsmi)" \
        'Type=instinct_mi210 Count=1 Index=0 File=/dev/dri/renderD128 Links=-1,1 AutoDetect=rsmi' '... and those of the other vendor'
tap_like "$(GPULIB_FAIL=rsmi_init LD_LIBRARY_PATH=$DIR/lib "$SLUMBERD" -C)" 'RealMemory=[0-9]+ Gres=gpu:tesla_t4:1,gpu:nvidia_a100-sxm4-40gb:1$' '-C: Gres'
tap_like "$("$SLUMBERD" -C)" 'RealMemory=[0-9]+$' '-C: none where there are none'
run "$SLUMBERD" -G
tap_like "$rc|$out|$err" '^0\|\|.*AutoDetect=nvml: libnvidia-ml.so.1: cannot open' 'no library: it is told'
tap_like "$(LD_LIBRARY_PATH=$DIR/less "$SLUMBERD" -G 2>&1)" 'AutoDetect=nvml: libnvidia-ml.so.1 has no nvmlDeviceGetMinorNumber' 'a library that lacks a function'
while read -r function n what; do
        tap_is "$(GPULIB_FAIL=$function found | wc -l)" "$n" "$function fails: $n are left"
        tap_like "$(cat err)" "$what" '... and it is told'
done <<'END'
nvmlInit_v2 0 AutoDetect=nvml: nvmlInit: Unknown Error
nvmlDeviceGetCount_v2 0 nvmlDeviceGetCount: Unknown Error
nvmlDeviceGetHandleByIndex_v2:0 1 GPU 0 is left out: nvmlDeviceGetHandleByIndex: Unknown Error
nvmlDeviceGetMinorNumber:1 1 GPU 1 is left out: nvmlDeviceGetMinorNumber: Unknown Error
nvmlDeviceGetPciInfo_v3:1 1 GPU 1 is left out: nvmlDeviceGetPciInfo: Unknown Error
nvmlDeviceGetName:1 2 /dev/nvidia0: nvmlDeviceGetName: Unknown Error
nvmlDeviceGetCpuAffinity 2 /dev/nvidia0: nvmlDeviceGetCpuAffinity: Unknown Error
END
tap_like "$(GPULIB_FAIL=nvmlDeviceGetNvLinkState found)" 'Links=-1,0' 'links that cannot be read are none'
tap_is "$(GPULIB_COUNT=4000000000 found | wc -l)" 0 'more than any machine has are not believed'
tap_like "$(cat err)" '4000000000 GPUs: 256 at most were expected' '... and it is told'
tap_is "$(GPULIB_COUNT=256 found | wc -l)" 256 'as many as may be'
tap_like "$(GPULIB_NAME=x found)" "Type=x{1,96} " 'a name without an end is cut'

drained() { scontrol show node "$1" | grep -qF "Reason=$2"; }
wait_for 40 drained n2 'gres/gpu count reported lower than configured (0 < 2): AutoDetect=nvml: the library has not answered within 20 s'
tap_ok $? 'after 20 s it counts as having found nothing, and the Reason says so' || scontrol show node n2
agent_stop n2
agent_start n1
wait_for 20 drained n1 'gres/gpu:t4 count reported lower than configured (0 < 1): AutoDetect=nvml: libnvidia-ml.so.1: cannot open'
tap_ok $? 'no library: the node is drained, and says why'
tap_is "$(grep -c 'AutoDetect=nvml: libnvidia-ml.so.1' log/n1)" 1 'its log says so once'
agent_stop n1
export LD_LIBRARY_PATH=$DIR/lib
GPULIB_DO=crash agent_start n1
crashed() { grep -q 'AutoDetect=nvml: the library has crashed' log/n1; }
wait_for 20 crashed
tap_ok $? 'a library that crashes takes a child with it'
agent_stop n1

# With device files, which only a file system of its own under /dev gives: GPUs are had by their types and told by their files.
real=$SLUMBERD
cat >with-dev <<END
#!/bin/sh
exec unshare -m sh -c 'd=\$0; mount -t tmpfs none \$d && cp -a /dev/null /dev/zero /dev/full /dev/random /dev/urandom /dev/tty \$d/ &&
        mkdir \$d/pts \$d/shm && mount --rbind /dev/pts \$d/pts && mknod \$d/nvidia0 c 1 3 && mknod \$d/nvidia1 c 1 3 &&
        mount --rbind \$d /dev && exec "\$@"' $DIR/dev $real "\$@"
END
chmod +x with-dev && mkdir dev
if [ "$(id -u)" = 0 ] && ./with-dev --version >/dev/null 2>&1; then
        SLUMBERD=$DIR/with-dev
        agent_start n1 && agent_start n2
        # It is refused until the node has registered with what was found.
        resumed() { scontrol update nodename="$1" state=resume 2>/dev/null; }
        wait_for 20 resumed n1 && wait_for 20 resumed n2 && wait_nodes 20 'n[1-2]' idle
        tap_ok $? 'with the library and its devices the nodes are well' || { cluster_logs; tap_done; }
        run srun -w n1 --gres=gpu:a100:1 sh -c 'echo $CUDA_VISIBLE_DEVICES $SLURM_STEP_GPUS ${ROCR_VISIBLE_DEVICES:-none}'
        tap_is "$rc|$out" '0|1 1 none' 'a type of slurm.conf is part of the name that the library says'
        run srun -w n1 --gres=gpu:2 sh -c 'echo $CUDA_VISIBLE_DEVICES'
        tap_is "$rc|$out" '0|0,1' 'each GPU by the number of its file'
        run srun -w n2 --gres=shard:2 sh -c 'echo $CUDA_VISIBLE_DEVICES $SLURM_SHARDS_ON_NODE'
        tap_is "$rc|$out" '0|0 2' 'shards of a GPU that was found'
        tap_is "$(grep -c 'AutoDetect=nvml: 2 GPUs' log/n1)" 1 'its log says how many there are'
        scontrol reconfigure && wait_nodes 20 'n[1-2]' idle
        tap_is "$(grep -c 'AutoDetect=nvml: 2 GPUs' log/n1)" 1 'it is asked once'
        # Another library: the node registers anew when that has been asked, and its job runs on.
        id=$(sbatch --parsable -w n1 -o /dev/null --wrap 'sleep 300')
        wait_job 20 "$id" RUNNING
        sed -i 's/^AutoDetect=nvml/AutoDetect=rsmi/' gres.conf
        scontrol reconfigure
        lost() { scontrol show node n1 | grep -q 'Reason=gres/gpu:t4 count reported lower than configured (0 < 1)'; }
        wait_for 20 lost
        tap_is "$?|$(grep -c 'AutoDetect=rsmi: 2 GPUs' log/n1)|$(job_state "$id")" '0|1|RUNNING' \
                'another library is asked when the configuration says so'
        sed -i 's/^AutoDetect=rsmi/AutoDetect=nvml/' gres.conf
        scontrol reconfigure
        wait_for 20 resumed n2
        agent_stop n2
        GPULIB_FAIL=nvmlDeviceGetMinorNumber:1 agent_start n2
        lacks() { scontrol show node n2 | grep -q 'Reason=gres/gpu count reported lower than configured (1 < 2): AutoDetect=nvml: GPU 1 is left out'; }
        wait_for 20 lacks
        tap_ok $? 'a file of gres.conf that is no GPU drains the node'
else
        tap_skip 'device files cannot be made here'
fi
cluster_sound
tap_ok $? 'no daemon has complained of itself'
tap_done
