#!/bin/sh
# binary-decision-diagram 4.0.0 (npm). The string of bddToMinimalString stands for the diagram, one would guess: each
# value is one UTF-16 unit, so 100000 comes back as 34464 (100000 - 65536), without an error. Small values
# are right.
# Prints what was seen; fails when that changes. Needs node and npm.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --no-audit --no-fund --silent binary-decision-diagram@4.0.0 > /dev/null
cat > t.mjs <<'J'
import * as lib from 'binary-decision-diagram'
const bits = { 0: (s) => s === '1' }
for (const value of [1, 100000]) {
	const bdd = lib.createBddFromTruthTable(new Map([['0', 0], ['1', value]]))
	bdd.minimize(false)
	const simple = lib.minimalStringToSimpleBdd(lib.bddToMinimalString(bdd))
	const read = lib.resolveWithSimpleBdd(simple, bits, '1')
	console.log(`${value}: the diagram says ${bdd.resolve(bits, '1')}, its string ${read}`)
}
J
node t.mjs | tee out
grep -qx '1: the diagram says 1, its string 1' out
grep -qx '100000: the diagram says 100000, its string 34464' out
