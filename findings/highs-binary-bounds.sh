#!/bin/sh
# A variable under "Binary" of an LP file is 0 or 1, one would guess. HiGHS 1.15.3 (npm highs 1.15.3) lets a line
# under "Bounds" win: with x <= 5 the optimum is 5, with x >= -5 it is -5, and the variable is only an integer. cbc
# 2.10.8 (Debian coinor-cbc 2.10.8+ds1-1, which has to be installed) reads the same files as 1 and 0. Neither says a
# word.
# Prints what was seen; fails when that changes. Needs node and npm.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --no-audit --no-fund --silent highs@1.15.3 > /dev/null
cat > t.cjs <<'J'
require('highs')().then((highs) => {
	const x = highs.solve(require('fs').readFileSync('t.lp', 'utf8')).Columns.x
	console.log(`${x.Primal} [${x.Lower}, ${x.Upper}]`)
})
J
lp() { # direction, constraint, bound
	printf '%s\n obj: x\nSubject To\n c1: %s\nBounds\n %s\nBinary\n x\nEnd\n' "$1" "$2" "$3" > t.lp
	cbc t.lp solve solution t.sol > out 2>&1
	seen="HiGHS $(node t.cjs), cbc $(awk '$2 == "x" { print $3 }' t.sol)"
	echo "$1, $3: $seen"
}
lp Maximize 'x <= 8' '0 <= x'
test "$seen" = "HiGHS 1 [0, 1], cbc 1"
lp Maximize 'x <= 8' 'x <= 5'
test "$seen" = "HiGHS 5 [0, 5], cbc 1"
lp Minimize 'x >= -8' 'x >= -5'
test "$seen" = "HiGHS -5 [-5, 1], cbc 0"
