#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# slurm_job_modify() of job_submit.lua: what it is told of updates, holds and releases, what it changes and refuses, and that an
# update of a job that changes meanwhile is decided again.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../cluster.sh"

at_exit cluster_end
cluster_conf 'n1' 'JobSubmitPlugins=lua' 'NodeName=n1 NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000' \
        'PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP' \
        'PartitionName=short Nodes=ALL MaxTime=60 State=UP'
cd "$DIR" || exit 1
cat >job_submit.lua <<E
local function note(text)
        local f = assert(io.open("$DIR/desc", "a"))
        f:write(text .. "\n")
        f:close()
end
function slurm_job_submit(d)
        if d.comment == "between" then note("submission") end
        return slurm.SUCCESS
end
local names = { "account", "admin_comment", "alloc_sid", "array_inx", "begin_time", "comment", "contiguous", "cpus_per_task",
        "deadline", "delay_boot", "dependency", "end_time", "exc_nodes", "extra", "features", "licenses", "mail_type", "mail_user", "max_cpus",
        "max_nodes", "min_cpus", "min_nodes", "name", "nice", "ntasks_per_node", "num_tasks", "partition", "pn_min_cpus",
        "pn_min_memory", "pn_min_tmp_disk", "prefer", "priority", "qos", "req_nodes", "req_switch", "requeue", "reservation",
        "shared", "site_factor", "std_out", "threads_per_core", "time_limit", "time_min", "tres_per_node", "wait4switch", "wckey" }
local function fields_of(d)
        local text = ""
        for _, n in ipairs(names) do
                local v = d[n]
                if v ~= nil and v ~= slurm.NO_VAL and v ~= slurm.NO_VAL16 and v ~= slurm.NO_VAL64 and
                   not ((n == "begin_time" or n == "end_time" or n == "deadline" or n == "contiguous" or n == "mail_type") and v == 0) then
                        text = text .. " " .. n .. "=" .. tostring(v)
                end
        end
        return text
end
function slurm_job_modify(d, rec, parts, uid)
        note(d.job_id .. ":" .. fields_of(d))
        local f = assert(io.open("$DIR/zero", "w"))
        f:write(d.job_id .. ": " .. tostring(d.min_mem_per_cpu) .. " " .. tostring(d.cores_per_socket) .. "\n")
        f:close()
        f = assert(io.open("$DIR/rec", "w"))
        f:write(rec.job_id .. " " .. rec.name .. " " .. rec.partition .. " " .. rec.time_limit .. " " .. rec.user_name ..
                " " .. uid .. " " .. (parts.short and "short" or "") .. "\n")
        f:close()
        if d.comment == "error" then return nil + 1 end
        if d.comment == "qos" then slurm.user_msg("not that"); return 2066 end
        if d.comment == "mine" then d.user_id = 0 end
        if d.comment == "script" then d.std_err = "x" end
        if d.comment == "drop" then d.comment = nil; d.name = "kept" end
        if d.comment == "more" then
                slurm.log_user("changed, too")
                d.time_limit = 7
                d.nice = slurm.NICE_OFFSET + 5
                d.partition = "short"
                d.min_mem_per_node = 50
                d.requeue = 0
                d.mail_user = ""
                d.comment = "less"
        end
        if d.comment == "wait" or d.comment == "many" then
                f = io.open("$DIR/go"); f:read("a"); f:close()
        end
        if rec.comment == "locked" and d.comment == nil and uid ~= 4294967 then return slurm.ERROR end
        if rec.comment == "named" and d.priority ~= slurm.NO_VAL then d.name = "at " .. d.priority end
        return slurm.SUCCESS
end
E
chmod 644 job_submit.lua
ctld_start && agent_start n1 && wait_nodes 20 n1 idle
tap_ok $? 'a controller with a script, and a node' || { cluster_logs; tap_done; }
submit() { sbatch -H --parsable --wrap true "$@" 2>/dev/null; }
shown() { scontrol show job "$1" | tr ' ' '\n' | grep "^$2="; }
told() { : >desc; run scontrol "$@"; }
id=$(submit -J one --mail-user=a@b.c --mem=200)

# ---- what it is told ----
told update jobid="$id" comment=hello
tap_is "$rc|$(cat desc)" "0|$id: comment=hello" 'of an update the script is told what it changes, and nothing else'
tap_is "$(cat rec)" "$id one main 4294967294 $(id -un) $(id -u) short" 'job_rec has what the job is, part_list its partitions'
tap_is "$(shown "$id" Comment)" Comment=hello 'what it leaves comes into force'
told update job="$id" timel=10
told update job="$id" timelimit+=5
tap_is "$rc|$(cat desc)|$(shown "$id" TimeLimit)" "0|$id: time_limit=15|TimeLimit=00:15:00" 'keys may be short, and relative'
told update jobid="$id" numnodes=1-2 mincpusnode=2 minmemorynode=300 nice=7 requeue=1 shared=no features=a switches=3@5:00 \
        mailtype=END name=two cpuspertask=2 numtasks=3 extra=x wckey=w stdout=/o prefer=p timemin=3 starttime=2040-01-01 deadline=2041-01-01
begin=$(date -d 2040-01-01 +%s) deadline=$(date -d 2041-01-01 +%s)
tap_is "$(cat desc)" "$id: begin_time=$begin cpus_per_task=2 deadline=$deadline extra=x features=a mail_type=2 max_nodes=2 min_nodes=1 name=two nice=2147483655 num_tasks=3 pn_min_cpus=2 pn_min_memory=300 prefer=p req_switch=3 requeue=1 shared=0 std_out=/o time_min=3 wait4switch=300 wckey=w" \
        'each key is a field of job_desc'
told update jobid="$id" numcpus=4 endtime=2040-01-01 sitefactor=-3 admincomment=a licenses=l reservation=r qos=q account=c dependency=afterok:1 gres=gpu:1 nodelist=n1 excnodelist=n2 tasksPerNode=2 mintmpdisknode=5 reqthreads=1 contiguous=yes arraytaskthrottle=2
tap_is "$(cat desc)" "$id: account=c admin_comment=a array_inx=2 contiguous=1 dependency=afterok:1 end_time=$begin exc_nodes=n2 licenses=l max_cpus=4 min_cpus=4 ntasks_per_node=2 pn_min_tmp_disk=5 qos=q req_nodes=n1 reservation=r site_factor=2147483645 threads_per_core=1 tres_per_node=gres/gpu:1" \
        'likewise the others'
told update jobid="$id" delayboot=7
tap_is "$rc|$(cat desc)|$(shown "$id" DelayBoot)" "0|$id: delay_boot=420|DelayBoot=00:07:00" 'a delay is told in seconds'
told update jobid="$id" delayboot=0
tap_is "$rc|$(cat desc)|$(shown "$id" DelayBoot)" "0|$id: delay_boot=0|DelayBoot=00:00:00" '... none differs from what is not named'
told update jobid="$id" numcpus=4-4
tap_is "$(cat desc)" "$id: max_cpus=4 min_cpus=4" 'a range of one number is this number'
told update jobid="$id" minmemorycpu=0 licenses= features='(null)' gres= reqnodelist= dependency= reservation= nice=0 timemin=0 reqcores=0
tap_is "$(cat desc)" "$id: dependency= features= licenses= nice=2147483648 pn_min_memory=0 req_nodes= reservation= time_min=0 tres_per_node=" \
        'what is taken away or set to 0 differs from what is not named'
tap_is "$(cat zero)" "$id: 0 0" '... as do memory of a CPU and cores'
told update jobid="$id" name=hidden reqcores=65534
tap_is "$rc|$err|$(cat desc)|$(shown "$id" JobName)" "1|scontrol: error: ReqCores=65534: job_submit.lua cannot be told of this value
Unspecified error for job $id||JobName=one" 'a value that no field can show refuses the update'

# ---- what it says ----
told update jobid="$id" comment=qos
tap_is "$rc|$err" "1|scontrol: error: not that
Invalid qos specification for job $id" 'its number and its words refuse the update'
told update jobid="$id" comment=error
tap_is "$rc|$err|$(shown "$id" Comment)" "1|Unspecified error for job $id|Comment=hello" 'as does an error of it, and nothing is changed'
told update jobid="$id" comment=mine
tap_is "$rc" 1 'a field that can be read only'
told update jobid="$id" comment=script
grep -qF 'job_desc.std_err cannot be changed by an update' log/ctld
tap_is "$?|$rc" '0|1' 'a field that no update changes is refused by its name'
id=$(submit -J one --mail-user=a@b.c --mem=200)
told update jobid="$id" comment=more
tap_is "$rc|$err" '0|scontrol: changed, too' 'what it says of an update that it takes'
tap_is "$(for k in TimeLimit Partition MinMemoryNode Comment; do shown "$id" $k; done | tr '\n' ' ')" \
        'TimeLimit=00:07:00 Partition=short MinMemoryNode=50M Comment=less ' 'what it has changed comes into force, too'
tap_like "$(scontrol show job "$id")" 'Nice=5 ' 'with its nice'
tap_is "$(scontrol show job "$id" | grep -c MailUser=a@b.c)" 0 'and "" takes a text away'
told update jobid="$id" comment=drop
tap_is "$rc|$(shown "$id" Comment) $(shown "$id" JobName)" '0|Comment=less JobName=kept' 'a field that it clears stays as it was'

# ---- holds and releases ----
told release "$id"
tap_is "$rc|$(cat desc)" "0|$id: priority=4294967295" 'a release is told as priority INFINITE'
id=$(submit -J one -b now+1hour --comment named)
told release "$id"
tap_is "$rc|$(shown "$id" JobName)|$(shown "$id" Reason)" '0|JobName=at|Reason=BeginTime' 'what is changed by a release comes into force'
told hold "$id"
tap_is "$(cat desc)|$(shown "$id" Reason)" "$id: alloc_sid=1 priority=0|Reason=JobHeldAdmin" 'a hold is told as priority 0'
scontrol release "$id"
told uhold "$id"
tap_is "$(cat desc)|$(shown "$id" Reason)" "$id: alloc_sid=2 priority=0|Reason=JobHeldUser" 'as is uhold'
scontrol update jobid="$id" comment=locked
told release "$id"
tap_like "$rc|${err//$'\n'/ }|$(shown "$id" Reason)" "^1\\|.*Unspecified error for job $id.*\\|Reason=JobHeldUser" 'a release is refused'

# ---- arrays ----
id=$(submit -a 1-4)
told update jobid="${id}_2" name=second
told update jobid="$id" timelimit=9
tap_is "$rc|$(wc -l <desc)|$(squeue -h -r -j "$id" -o %l | sort | uniq -c | tr -s ' ')" '0|2| 4 9:00' 'each record of an array is asked about'

# ---- a job that changes meanwhile ----
mkfifo go
id=$(submit -J before)
: >desc
scontrol update jobid="$id" comment=wait &
slow=$!
asked() { [ "$(wc -l <desc)" -ge "$1" ]; }
wait_for 20 asked 1
scontrol update jobid="$id" name=between >/dev/null 2>&1 &
second=$!
run timeout 5 squeue -h -j "$id" -o %j
tap_is "$out" before 'an update waits for the script, and squeue does not'
echo >go
wait_for 20 asked 2
echo >go 2>/dev/null & # it may be asked once more
last=$!
wait $second
wait $slow
tap_is "$?|$(shown "$id" Comment)|$(shown "$id" JobName)" '0|Comment=wait|JobName=between' 'both come into force'
kill $last 2>/dev/null

# ---- a request for many jobs ----
id=$(submit -a 1-12)
for i in {1..12}; do scontrol update jobid="${id}_$i" name="t$i"; done
: >desc
scontrol update jobid="$id" comment=many &
many=$!
wait_for 20 asked 1
sbatch -H --parsable --comment between --wrap true >/dev/null 2>&1 &
other=$!
sleeps() { grep -q '^State:.S' "/proc/$other/status" && ls -l "/proc/$other/fd" | grep -q socket:; }
wait_for 20 sleeps
tap_ok $? 'a submission waits for its answer'
about() { [ "$(grep -vc submission desc)" -ge "$1" ]; }
for i in {1..12}; do # the script is asked about one of them after the other
        timeout 20 bash -c 'echo >go'
        [ "$i" = 12 ] || wait_for 20 about $((i + 1))
done
wait $many
first=$?
wait $other
tap_is "$first|$?|$(grep -vc submission desc)|$(sed '$d' desc | grep -c submission)" '0|0|12|1' \
        'it does not wait until the script was asked about all of them'
# by a user without rights
if [ "$(id -u)" = 0 ]; then
        chmod 755 "$DIR" && chmod 666 desc rec
        run setpriv --reuid=65534 --regid=65534 --clear-groups scontrol update jobid="$id" comment=x
        tap_like "$rc|$err" '^1\|.*Access/permission denied' 'the job of another user is not asked about'
fi
cluster_sound
tap_ok $? 'no daemon has said anything that only a bug says'
tap_done
