# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# One virtual machine with systemd, pure cgroup v2 and the built programs.  Sourced by tests/vm/t*.sh, after lib.sh.
#   vm_boot            starts it (again, with the same disk) and waits until it can be spoken to
#   vm_cut             cuts its power
#   guest SECONDS      runs the script on its standard input in it, as root
# No KVM is asked for: where this runs it is often slower than none, or there and broken.

vm_folder=$(mktemp -d /tmp/slumber-vm-XXXXXX)
vm_pid=
vm_cache=${SLUMBER_VM_CACHE:-$SLUMBER_BUILD/vm}

vm_end() {
        vm_cut
        rm -rf "$vm_folder"
}

vm_image() { # the machine has neither the sanitizers' libraries nor the memory that they want
        local said r=0
        ! grep -q __asan_init "$SLUMBER_BUILD/controller/slumberctld" ||
                tap_skip_all 'the build has sanitizers, for which the machine is too small: scripts/test vm'
        said=$("$SLUMBER_SOURCE/tests/vm/image" "$vm_cache" "$SLUMBER_BUILD" 2>&1) || r=$?
        if [ $r = 77 ]; then
                echo "1..0 # SKIP $(tail -1 <<<"$said")"
                exit 0
        elif [ $r != 0 ]; then
                echo "Bail out! no image: $(tail -1 <<<"$said")"
                exit 1
        fi
        qemu-img create -q -f qcow2 -b "$vm_cache/root.ext4" -F raw "$vm_folder/disk"
}

vm_boot() {
        rm -f "$vm_folder/line"
        qemu-system-x86_64 -accel tcg,thread=multi -cpu max -smp 2 -m 1024 -nodefaults -no-user-config -display none \
                -kernel "$vm_cache/vmlinux" -initrd "$vm_cache/initrd" \
                -append "console=ttyS0 quiet mitigations=off systemd.show_status=no ${SLUMBER_VM_APPEND:-}" \
                -drive "file=$vm_folder/disk,if=virtio,cache=writeback" \
                -serial "file:$vm_folder/console" -serial "unix:$vm_folder/line,server=on,wait=off" \
                >>"$vm_folder/qemu.log" 2>&1 </dev/null &
        vm_pid=$!
        wait_for 20 test -S "$vm_folder/line" || { cat "$vm_folder/qemu.log"; return 1; }
        guest 300 >/dev/null <<<"# again" || { tail -20 "$vm_folder/console"; return 1; }
}

vm_cut() {
        [ -z "$vm_pid" ] || kill -9 "$vm_pid" 2>/dev/null || true
        [ -z "$vm_pid" ] || wait "$vm_pid" 2>/dev/null || true
        vm_pid=
}

guest() {
        python3 "$SLUMBER_SOURCE/tests/vm/guest.py" "$vm_folder/line" "$1"
}
