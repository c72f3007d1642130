#!/bin/sh
# cffjs 0.0.2 (npm) checks CITATION.cff. The date is written without quotes in the examples of the format
# (date-released: 2017-12-18), and one would guess that it is valid: it is refused ("must be string"), only a quoted
# one is taken. readCFF and writeCFF together turn it into 2017-12-18T00:00:00.000Z, which is no date of the format.
# Prints what was seen; fails when that changes. Needs node and npm.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --no-audit --no-fund --silent cffjs@0.0.2 > /dev/null
cat > t.mjs <<'J'
import fs from 'node:fs'
import { readCFF, validateCFFFile, writeCFF } from 'cffjs'
for (const date of ['2017-12-18', '"2017-12-18"']) {
	const lines = ['cff-version: 1.2.0', 'message: m', 'title: t', `date-released: ${date}`, 'authors:', '- name: A']
	fs.writeFileSync('CITATION.cff', lines.join('\n'))
	let said = 'valid'
	try {
		validateCFFFile('CITATION.cff')
	} catch (e) {
		said = JSON.parse(e.message.split('\n')[1])[0].message
	}
	writeCFF(readCFF('CITATION.cff'), 'out')
	const written = fs.readFileSync('out/CITATION.cff', 'utf8').split('\n').find((line) => line.startsWith('date'))
	console.log(`${date}: ${said}; written: ${written}`)
}
J
node t.mjs | tee out.txt
grep -qx '2017-12-18: must be string; written: date-released: 2017-12-18T00:00:00.000Z' out.txt
grep -q '^"2017-12-18": valid;' out.txt
