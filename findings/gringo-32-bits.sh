#!/bin/sh
# gringo 5.4.1 (Debian gringo 5.4.1-3.1+b1, which has to be installed), the grounder of clingo. A number that is too
# large is an error, one would guess: 3000000000 is read as -1294967296, 65536*65536 is 0, 2147483647+1 is
# -2147483648, and a #sum of twice 2147483647 is -2, without a word.
# Prints what was seen; fails when that changes.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
dpkg-query -W gringo
cat > "$dir/t.lp" <<'L'
read(X) :- X = 3000000000.
product(65536*65536).
next(2147483647+1).
sum(X) :- X = #sum { 2147483647,a; 2147483647,b }.
L
seen=$(gringo --text "$dir/t.lp" 2>&1 | sort | xargs)
echo "$seen"
test "$seen" = "next(-2147483648). product(0). read(-1294967296). sum(-2)."
