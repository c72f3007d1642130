#!/bin/sh
# 4ti2 computes semiflows of nets exactly, one would guess. 4ti2-hilbert and 4ti2-graver of 1.6.9 (Debian 4ti2
# 1.6.9+ds-8, which has to be installed) count in 32 bits unless told, and wrap in silence with exit code 0: of y =
# 100000 x, z = 100000 y they print 1 100000 1410065408. 4ti2-rays of the same package is exact by default.
# Prints what was seen; fails when that changes.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
dpkg-query -W 4ti2
printf '2 3\n100000 -1 0\n0 100000 -1\n' > "$dir/net.mat"
basis() { # the program, the end of the file that it writes, its options
	program=$1 end=$2
	shift 2
	rm -f "$dir/net.$end"
	"$program" -q "$@" "$dir/net"
	row=$(tail -n 1 "$dir/net.$end" | xargs)
	echo "$program $*: $row"
}
wrapped="1 100000 1410065408" exact="1 100000 10000000000"
basis 4ti2-hilbert hil
test "$row" = "$wrapped"
basis 4ti2-graver gra
test "$row" = "$wrapped"
basis 4ti2-hilbert hil -p64
test "$row" = "$exact"
basis 4ti2-rays ray
test "$row" = "$exact"
