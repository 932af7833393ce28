# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# tests/system/plugins.sh - sourced by the tests of plug-ins
#
#   plugin NAME [FILE] [OPTION...]   compiles tests/system/spank/NAME.c to $DIR/plugins/FILE (NAME.so), as a site does
plugin() {
        local name=$1 file=${2:-$1.so}
        mkdir -p "$DIR/plugins"
        cc -shared -fPIC -Wall -Werror -I "$SLUMBER_SOURCE/include" "${@:3}" -o "$DIR/plugins/$file" \
                "$SLUMBER_SOURCE/tests/system/spank/$name.c" || { echo "Bail out! $name.c does not compile"; exit 1; }
}
