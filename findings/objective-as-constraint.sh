#!/bin/sh
# javascript-lp-solver 1.0.3 (npm). A constraint on what is optimised counts as any other, one would guess: it is
# dropped. The largest o with o <= 5 and d = o <= 9 is 9, and the smallest o >= 5 is infeasible. A variable called
# bounded or result replaces that part of the answer.
# Prints what was seen; fails when that changes. Needs node and npm.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --no-audit --no-fund --silent javascript-lp-solver@1.0.3 > /dev/null
cat > t.mjs <<'J'
import solver from 'javascript-lp-solver'
const solve = (opType, constraints, name = 'x') => {
	const model = { optimize: 'o', opType, constraints, variables: { [name]: { o: 1, d: 1 } } }
	console.log(opType, JSON.stringify(constraints), JSON.stringify(solver.Solve(model)))
}
solve('max', { d: { max: 5 } })
solve('max', { o: { max: 5 }, d: { max: 9 } })
solve('min', { o: { min: 5 }, d: { max: 9 } })
solve('max', { d: { max: 5 } }, 'bounded')
J
node t.mjs | tee out
printf '%s\n' 'max {"d":{"max":5}} {"feasible":true,"result":5,"bounded":true,"x":5}' \
	'max {"o":{"max":5},"d":{"max":9}} {"feasible":true,"result":9,"bounded":true,"x":9}' \
	'min {"o":{"min":5},"d":{"max":9}} {"feasible":false,"result":0,"bounded":true}' \
	'max {"d":{"max":5}} {"feasible":true,"result":5,"bounded":5}' | cmp - out
