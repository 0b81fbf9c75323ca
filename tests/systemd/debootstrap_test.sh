#!/usr/bin/env bash
# Install, run, upgrade and uninstall in a bare Debian without any of the board's parts. Needs root, debootstrap, a network.
#   tests/systemd/debootstrap_test.sh bookworm|trixie [BASE]      BASE: a tree to copy instead of making one
# The tree is thrown away. Ends with "all well", or says what is wrong and exits 1.
set -euo pipefail
suite=$1
base=${2:-}
here=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
tree=$work/tree
trap 'umount -l "$tree/proc" 2>/dev/null || true; rm -rf --one-file-system "$work"' EXIT

fail() { echo "WRONG: $*" >&2; [ ! -e "$tree/opt/muggins/install.log" ] || tail -n 20 "$tree/opt/muggins/install.log" >&2; exit 1; }
told() { grep -q -- "$1" "$work/said" || { cat "$work/said" >&2; fail "nothing was said of: $1"; }; }
is() { [ -e "$tree/$1" ] || [ -L "$tree/$1" ] || fail "/$1 is not there"; }
isnt() { [ ! -e "$tree/$1" ] && [ ! -L "$tree/$1" ] || fail "/$1 is there"; }
inside() { chroot "$tree" "$@" </dev/null; }
install_from() {
    echo "--- $*"
    "${PYTHON:-/usr/bin/python3}" -B "$1/systemd/install.py" --root "$tree" "${@:2}" </dev/null >"$work/said" 2>&1 ||
        { cat "$work/said" >&2; fail "the installer failed"; }
    cat "$work/said"
}
# What a second run may not change: every file's content and rights, all but what Python compiles and the log of pip.
picture() { (cd "$tree" && find etc opt usr var/lib boot -name __pycache__ -prune -o -name '*.log' -prune -o -printf '%p %m %u %g %l ' \
    \( -type f -exec sha256sum {} \; -o -printf '\n' \) ) | sort; }

echo "--- a bare $suite"
if [ -n "$base" ]; then cp -a --one-file-system "$base" "$tree"; else
    debootstrap --variant=minbase --include=python3,python3-venv,ca-certificates,systemd "$suite" "$tree" >"$work/debootstrap" 2>&1 ||
        { tail -n 5 "$work/debootstrap" >&2; fail "debootstrap"; }
fi
# How this machine reaches its network.
cp -L /etc/resolv.conf /etc/hosts "$tree/etc/"
[ ! -e /etc/pip.conf ] || cp /etc/pip.conf "$tree/etc/"
mkdir -p "$tree/usr/local/share/ca-certificates"
cp /usr/local/share/ca-certificates/*.crt "$tree/usr/local/share/ca-certificates/" 2>/dev/null || true
inside update-ca-certificates >/dev/null 2>&1 || true
mount -t proc proc "$tree/proc"
export LC_ALL=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root
isnt etc/systemd/system/muggins.service

install_from "$here"
told "^The user muggins: made"
told "^The wires: no Raspberry Pi"
told "nothing was started"
for path in etc/systemd/system/muggins.service etc/systemd/system/multi-user.target.wants/muggins.service \
    opt/muggins/bin/muggins usr/local/bin/muggins etc/udev/rules.d/60-muggins.rules; do is $path; done
isnt etc/modules-load.d/muggins.conf
[ "$(inside id -Gn muggins | tr ' ' '\n' | sort | xargs)" = "audio gpio i2c input muggins spi" ] || fail "the user's groups: $(inside id muggins)"
if [ -x "$tree/usr/bin/systemd-analyze" ]; then
    inside systemd-analyze verify /etc/systemd/system/muggins.service 2>"$work/verify" || true
    grep muggins "$work/verify" && fail "systemd finds fault with the unit"
    inside systemd-analyze security --offline=true --threshold=30 --no-pager /etc/systemd/system/muggins.service >"$work/exposure" 2>&1 ||
        { tail -n 2 "$work/exposure" >&2; fail "the unit is not shut in"; }
    tail -n 1 "$work/exposure"
fi
inside muggins score 5H 5C 5S JD --starter 5D | grep -q 'twenty-nine' || fail "the program does not count to twenty-nine"
inside /opt/muggins/bin/python -m firmware.blank | grep -q "no real lights" || fail "the end of the unit"

echo "--- the service as its user"
mkdir -p "$tree/var/lib/muggins"
inside chown muggins:muggins /var/lib/muggins
chroot --userspec=muggins --groups=gpio,i2c,spi,input,audio "$tree" env -i PATH=/usr/bin STATE_DIRECTORY=/var/lib/muggins HOME=/var/lib/muggins \
    /opt/muggins/bin/muggins run --port 0 </dev/null >"$work/address" 2>"$work/errors" &
service=$!
for _ in $(seq 600); do grep -q '^http://' "$work/address" && break; kill -0 $service 2>/dev/null || break; sleep 0.1; done
grep '^http://' "$work/address" || { cat "$work/errors" >&2; fail "the service did not come up"; }
kill -TERM $service
wait $service || { cat "$work/errors" >&2; fail "the service ended with $?"; }
[ ! -s "$work/errors" ] || { cat "$work/errors" >&2; fail "the service complained"; }
[ -n "$(ls "$tree/var/lib/muggins")" ] || fail "there is no journal"
echo "a game" >"$tree/var/lib/muggins/kept"

picture >"$work/before"
install_from "$here"
told "has it already"
picture >"$work/after"
diff "$work/before" "$work/after" >&2 || fail "a second run changed something"

echo "--- a newer Muggins"
mkdir "$work/newer"
cp -r "$here"/{pyproject.toml,README.md,LICENSE,engine,hardware,firmware,systemd} "$work/newer/"
echo "# newer" >>"$work/newer/firmware/__init__.py"
sum=$(cd "$tree/var/lib/muggins" && sha256sum * | sha256sum)
install_from "$work/newer"
grep -q "# newer" "$tree"/opt/muggins/lib/python3*/site-packages/firmware/__init__.py || fail "the upgrade is not there"
[ "$sum" = "$(cd "$tree/var/lib/muggins" && sha256sum * | sha256sum)" ] || fail "the upgrade touched the games"
inside muggins score 5H 5C 5S JD --starter 5D >/dev/null || fail "the upgrade does not run"

mkdir -p "$tree/boot/firmware"
printf '#dtparam=i2c_arm=on\n#dtparam=spi=on\ndtparam=audio=on' >"$tree/boot/firmware/config.txt"
cp "$tree/boot/firmware/config.txt" "$work/config.txt"
install_from "$work/newer"
told "lacks these lines"
cmp "$tree/boot/firmware/config.txt" "$work/config.txt" || fail "config.txt was changed without a yes"
is etc/modules-load.d/muggins.conf
install_from "$work/newer" --yes
cmp "$tree/boot/firmware/config.txt.before-muggins" "$work/config.txt" || fail "the copy of config.txt"
install_from "$work/newer" --yes
told "has every line"

install_from "$work/newer" --uninstall
told "kept in /var/lib/muggins"
for path in etc/systemd/system/muggins.service etc/systemd/system/multi-user.target.wants/muggins.service opt/muggins \
    usr/local/bin/muggins etc/udev/rules.d/60-muggins.rules etc/modules-load.d/muggins.conf; do isnt $path; done
[ "$sum" = "$(cd "$tree/var/lib/muggins" && sha256sum * | sha256sum)" ] || fail "the games are not as they were"
install_from "$work/newer" --uninstall
echo "all well"
