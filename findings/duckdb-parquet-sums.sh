#!/bin/sh
# DuckDB 1.5.6 (npm @duckdb/node-api 1.5.6-r.1). A table written as Parquet and read again is the same, one would
# guess. sum() of integers is a HUGEINT, and Parquet gets it as DOUBLE, without a word: 9007199254740993 states become
# ...992. BIGNUM and DECIMAL(38,0) of the same value stay exact.
# Prints what was seen; fails when that changes. Needs node and npm.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --no-audit --no-fund --silent @duckdb/node-api@1.5.6-r.1 > /dev/null
cat > t.mjs <<'J'
import { DuckDBInstance } from '@duckdb/node-api'
const db = await (await DuckDBInstance.create(':memory:')).connect()
const ask = async (query) => (await db.runAndReadAll(query)).getRowsJson()[0]
console.log((await ask('select version()'))[0])
await db.run('create table t as select sum(n) s, sum(n)::decimal(38,0) d from (values (9007199254740991), (2)) v(n)')
await db.run(`copy t to 'sums.parquet' (format parquet)`)
for (const table of ['t', `'sums.parquet'`]) {
	const row = await ask(`select s::decimal(38,0)::varchar, typeof(s), d::varchar, typeof(d) from ${table}`)
	console.log(row.join(' '))
}
J
node t.mjs | tee out
grep -qx '9007199254740993 HUGEINT 9007199254740993 DECIMAL(38,0)' out
grep -qx '9007199254740992 DOUBLE 9007199254740993 DECIMAL(38,0)' out
