#!/bin/sh
# Integer variables of an MPS file (MARKER, INTORG) without bounds run from 0 on, one would guess, as others do.
# glpsol 5.0 (Debian glpk-utils 5.0-1) makes them 0 or 1 without a word, lp_solve 5.5 (Debian lp-solve 5.5.2.5-2)
# gives them no upper bound: the largest x <= 5 is 1 to the one and 5 to the other.
# Prints what was seen; fails when that changes. Both have to be installed.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
dpkg-query -W glpk-utils lp-solve
cat > t.mps <<'M'
NAME t
ROWS
 N obj
 L c1
COLUMNS
 MARKER 'MARKER' 'INTORG'
 x obj -1 c1 1
 MARKER 'MARKER' 'INTEND'
RHS
 RHS c1 5
ENDATA
M
glpsol --freemps t.mps -w t.sol > out
grep -i warn out && exit 1
glpk=$(sed -n 's/^j 1 //p' t.sol)
lpsolve=$(lp_solve -fmps t.mps -S3 | sed -n 's/^x *//p')
echo "glpsol x=$glpk, lp_solve x=$lpsolve"
test "$glpk $lpsolve" = "1 5"
