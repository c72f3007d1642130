#!/bin/sh
# hyparquet 1.31.5 reads Parquet. BIGINT comes exactly, as a BigInt, so one would guess that DECIMAL comes exactly,
# too: it is multiplied out in floating point. 9007199254740993.0 becomes ...994, 0.3 becomes 0.30000000000000004. A
# TIMESTAMP of microseconds is cut towards 1970: 1969-12-31 23:59:59.999999 becomes 1970-01-01. Parsers of one's own
# change times, not decimals.
# Prints what was seen; fails when that changes. Needs node and npm; DuckDB 1.5.6 writes the file.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --no-audit --no-fund --silent @duckdb/node-api@1.5.6-r.1 hyparquet@1.31.5 > /dev/null
cat > t.mjs <<'J'
import { DuckDBInstance } from '@duckdb/node-api'
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'
const db = await (await DuckDBInstance.create(':memory:')).connect()
await db.run(`copy (select 9007199254740993 as n, 9007199254740993::decimal(38,1) as d, 0.3::decimal(4,1) as e,
	timestamp '1969-12-31 23:59:59.999999' as t) to 't.parquet' (format parquet)`)
const [row] = await parquetReadObjects({ file: await asyncBufferFromFile('t.parquet') })
console.log(`${row.n} ${row.d} ${row.e} ${row.t.toISOString()}`)
J
seen=$(node t.mjs)
echo "$seen"
test "$seen" = "9007199254740993 9007199254740994 0.30000000000000004 1970-01-01T00:00:00.000Z"
