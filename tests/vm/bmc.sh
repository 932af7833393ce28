#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A virtual machine behind a simulated BMC, with /dev/ipmi0: its agent tells where the BMC is and what it draws, so that power.yaml has
# credentials only; it powers itself off, is woken, sleeps through its own logind, and is woken again.  The magic packet is
# carried to the machine by hand: QEMU's cards do not wake on it.  scripts/test vm.
. "$(dirname "$0")/../system/lib.sh"
. "$(dirname "$0")/../system/cluster.sh"
. "$(dirname "$0")/vm.sh"
command -v ipmi_sim >/dev/null || tap_skip_all 'ipmi_sim is not installed (package openipmi)'
at_exit vm_end
vm_image

# ---- the machine and its BMC ----
bmc=127.$NET.0.1 power=$SLUMBER_BUILD/power/slumber-power
dcmi=$SLUMBER_BUILD/tests/tools/libdcmi.so
cd "$DIR" || exit 1
# Becomes the machine, so that its end is the machine's.
cat >machine <<END
#!/bin/bash
cd "$DIR" && rm -f line monitor && echo \$\$ >machine.pid
exec qemu-system-x86_64 -accel tcg,thread=multi -cpu max -smp 2 -m 1024 -nodefaults -no-user-config -display none \\
        -kernel "$vm_cache/vmlinux" -initrd "$vm_cache/initrd" \\
        -append "console=ttyS0 quiet mitigations=off systemd.show_status=no mem_sleep_default=s2idle" \\
        -drive "file=$vm_folder/disk,if=virtio,cache=writeback" -netdev user,id=n0 -device virtio-net-pci,netdev=n0,romfile= \\
        -serial "file:$DIR/console" -serial "unix:$DIR/line,server=on,wait=off" -monitor "unix:$DIR/monitor,server=on,wait=off" \\
        -chardev socket,id=bmc,host=$bmc,port=$((PORT + 1)),reconnect=1 -device ipmi-bmc-extern,id=bmc0,chardev=bmc \\
        -device isa-ipmi-kcs,bmc=bmc0,ioport=0xca2,irq=5 >>"$DIR/qemu.log" 2>&1 </dev/null
END
# ipmi_sim asks for its own address as a BMC asks its network card.
cat >lan <<END
#!/bin/sh
[ "\$1" = get ] || exit 0
shift
for p; do
        case \$p in ip_addr) echo \$p:$bmc ;; ip_addr_src) echo \$p:static ;; *_mac_addr | mac_addr) echo \$p:02:00:00:00:00:01 ;; *) echo \$p:0.0.0.0 ;; esac
done
END
chmod 755 machine lan
cat >lan.conf <<END
$([ -e "$dcmi" ] && echo "loadlib \"$dcmi\" \"$DIR/watts\"")
name "vm"
set_working_mc 0x20
  startlan 1
    addr $bmc 623
    priv_limit admin
    allowed_auths_admin none md2 md5 straight
    guid a123456789abcdefa123456789abcd01
    lan_config_program "$DIR/lan"
  endlan
  serial 15 $bmc $((PORT + 1)) codec VM
  startcmd "$DIR/machine"
  startnow false
  poweroff_wait 3600
  kill_wait 3600
  user 2 true "admin" "secret" admin 10 none md2 md5 straight
END
printf '%s\n' 'mc_setbmc 0x20' 'mc_add 0x20 0 no-device-sdrs 0x23 9 8 0x9f 0x1291 0xf02' 'mc_enable 0x20' >bmc.emu
echo 352 >watts
mkdir state.bmc
(trap '' PIPE && exec ipmi_sim -n -c lan.conf -f bmc.emu -s state.bmc >bmc.out 2>&1 </dev/null) &
at_exit kill $!
machine_end() { kill -9 "$(cat "$DIR/machine.pid" 2>/dev/null)" 2>/dev/null; }
at_exit machine_end
on_guest() { python3 "$SLUMBER_SOURCE/tests/vm/guest.py" "$DIR/line" "$1"; }

# ---- the cluster: the controller here, the agent there ----
(umask 077 && echo secret >password)
printf '#!/bin/sh\nexec %s --config "%s/power.yaml" --deadline 3m $(cat "%s/how") "$1" >>"%s/suspended" 2>&1\n' "$power" "$DIR" "$DIR" "$DIR" >suspend
printf '#!/bin/sh\nexec %s --config "%s/power.yaml" on "$1" >>"%s/resumed" 2>&1\n' "$power" "$DIR" "$DIR" >resume
chmod 755 suspend resume
cluster_conf vm 'SlurmctldHost=localhost(0.0.0.0)' SuspendTime=3600 SuspendTimeout=20 ResumeTimeout=600 SlurmdTimeout=600 \
        "SuspendProgram=$DIR/suspend" "ResumeProgram=$DIR/resume" 'yaml heartbeat: 1s' 'yaml audit_interval: 0'
at_exit cluster_end
ctld_start
tap_ok $? 'a controller' || { cluster_logs; tap_done; }
access='user: admin, password_file: password, workarounds: [opensesspriv]'
echo "nodes: [{nodes: vm, $access}]" >power.yaml
run "$power" --config power.yaml status vm
tap_like "$rc|$err" '^2\|.*the address of the BMC of vm is not known' 'of a node that never was there no address is known'
echo "nodes: [{nodes: vm, bmc: $bmc, $access}]" >first.yaml
wait_for 20 eval '"$power" -q --config first.yaml --deadline 3s status vm'
"$power" -q --config first.yaml on vm && wait_for 20 test -S line && on_guest 300 >/dev/null <<<'# again'
tap_ok $? 'the machine boots' || { tail -20 console; tap_done; }
on_guest 120 >"$DIR/said" <<END
set -e
test -c /dev/ipmi0
(umask 077 && base64 -d <<<'$(base64 -w0 key)' >/etc/slumber/cluster.key)
echo "SLUMBERD_OPTIONS='--conf-server 10.0.2.2:$PORT -N vm'" >/etc/default/slumberd
systemctl enable -q --now slumberd
END
tap_ok $? 'it has a BMC device and an agent' || cat said
wait_nodes 120 vm idle
tap_ok $? 'which registers' || { on_guest 30 <<<'journalctl -u slumberd -n 20 --no-pager'; cluster_logs; tap_done; }
shows() { scontrol show node vm | grep -qE "$1"; }
wait_for 60 shows "BmcAddress=$bmc$"
tap_ok $? 'and tells where its BMC is'
run "$power" --config first.yaml check vm
tap_like "$rc $out" '^0 vm: on, .*MAC address 02:00:00:00:00:01 as its agent says' 'its BMC is its own, by the MAC that it sees from inside'
if [ -e "$dcmi" ]; then
        wait_for 60 shows 'CurrentWatts=352 '
        tap_ok $? 'and what it draws'
        echo 247 >watts
        wait_for 60 shows 'CurrentWatts=247 '
        tap_ok $? 'and when that changes'
fi

# ---- credentials only ----
echo "nodes: [{nodes: vm, soft: agent, $access}]" >power.yaml
run "$power" --config power.yaml status vm
tap_is "$rc|$out|$err" '0|vm: on|' 'with the address that it told, credentials are enough'
echo soft >how
scontrol power down vm
wait_for 180 grep -q 'vm: off' suspended
tap_ok $? 'it powers itself off, its BMC says so' || cat suspended
wait_for 60 eval '[ "$(sinfo -h -o %t)" = "idle~" ]'
ctld_stop && ctld_start
wait_for 20 shows "BmcAddress=$bmc$"
tap_ok $? 'the address outlives the machine and the controller'
scontrol power up vm
wait_nodes 400 vm idle
tap_ok $? 'it is woken by it, and registers' || { tail -5 console; cat resumed; }

# ---- sleep ----
cat >waker.py <<'END'
import socket, sys
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.bind((sys.argv[1], int(sys.argv[2])))
while True:
    s.settimeout(300)
    if s.recv(1000)[6:12].hex() == '020000000001': # the power button wakes it too
        m = socket.socket(socket.AF_UNIX)
        m.connect(sys.argv[3])
        lines = m.makefile('rwb', buffering=0)
        while lines.read(1) != b')': # (qemu)
            pass
        lines.write(b'system_powerdown\n')
        while lines.read(1) != b')': # done; what is written to a monitor that loses its line may be lost
            pass
        break
END
python3 waker.py "$bmc" $((PORT + 2)) "$DIR/monitor" &
echo "nodes: [{nodes: vm, driver: suspend, mac: '02:00:00:00:00:01', broadcast: '$bmc:$((PORT + 2))'}]" >power.yaml
echo off >how
scontrol power down vm
wait_for 60 eval '[ "$(sinfo -h -o %t)" = "idle~" ]'
tap_is "$(tail -1 suspended)" 'vm: unknown' 'it is put to sleep by its own logind'
on_guest 5 >/dev/null <<<'true'
tap_is $? 124 'and does not answer'
"$power" -q --config first.yaml status vm
tap_is "$("$power" --config first.yaml status vm)" 'vm: on' 'though its BMC says on'
scontrol power up vm
wait_nodes 120 vm idle
tap_ok $? 'a magic packet wakes it, and it registers as after a boot' || cluster_logs
tap_like "$(on_guest 60 <<<'journalctl -u slumberd -o cat --no-pager | grep slept')" 'has slept as the controller wanted' 'its agent knows why'
cluster_sound
tap_done
