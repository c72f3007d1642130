#!/bin/sh
# cbc 2.10.8 (Debian coinor-cbc 2.10.8+ds1-1, which has to be installed). One program is one, one would guess: "least
# x with x >= -7, upper bound -2" is infeasible in an LP file, since the lower bound is 0, and has the optimum -7 in
# an MPS file, where a negative upper bound takes the lower one away without a word.
# Prints what was seen; fails when that changes.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
dpkg-query -W coinor-cbc
printf 'Minimize\n obj: x\nSubject To\n c1: x >= -7\nBounds\n x <= -2\nEnd\n' > t.lp
cat > t.mps <<'M'
NAME          t
ROWS
 N  obj
 G  c1
COLUMNS
    x         obj       1            c1        1
RHS
    RHS       c1        -7
BOUNDS
 UP BND       x         -2
ENDATA
M
for f in lp mps; do
	cbc t.$f solve solution t.sol > out-$f 2>&1
	echo "$f: $(head -n 1 t.sol)"
	cp t.sol $f.sol
done
grep -q '^Infeasible' lp.sol
grep -q '^Optimal - objective value -7' mps.sol
if grep -i warn out-mps; then exit 1; fi
