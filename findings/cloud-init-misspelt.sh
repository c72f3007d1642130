#!/bin/sh
# cloud-init 22.4.2 (Debian cloud-init 22.4.2-1+deb12u4, which has to be installed). "cloud-init schema" finds
# misspelt keys, one would guess, as it does below users: at the top, where runcmd and hostname stand, any key is
# "Valid cloud-config". A key that is written twice is valid, too.
# Prints what was seen; fails when that changes.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
dpkg-query -W cloud-init
schema() { # lines of user-data
	printf '#cloud-config\n%b\n' "$1" > "$dir/user-data"
	code=0
	said=$(cloud-init schema -c "$dir/user-data" 2>&1) || code=$?
	echo "$1: exit code $code: $said"
}
schema 'hostnam: a\nruncdm: [true]'
test $code = 0
echo "$said" | grep -q '^Valid cloud-config'
schema 'hostname: a\nhostname: b'
test $code = 0
schema 'users:\n- name: a\n  sudoo: b'
test $code = 1
echo "$said" | grep -q sudoo
