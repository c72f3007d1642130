// Package archive hands a contest over: one file that holds all that is needed to
// check and to repeat it, and that says of every byte in it what it must be.
//
// An archive is a tar file, compressed with zstd, which tar(1) unpacks:
//
//	SHA256SUMS               the digest of every file below, for sha256sum -c; its own digest is the root digest
//	README.md                how to check the archive without Podium
//	archive.json             what the archive is: campaign, runs, what was left out, links, permissions
//	campaign/                the campaign: plans, edition, journals, outputs, pins, decisions, certificates, inputs
//	results/csv/             the tables of the contest as they were computed when the archive was made
//	results/provenance.json
//	ro-crate-metadata.json   the same for repositories such as Zenodo (RO-Crate 1.2)
//
// The files stand in the order of their names behind SHA256SUMS. Each is a frame of zstd of its own, so
// that damage of one file leaves the others readable. The last 40 bytes are a frame
// that decoders skip; it holds the digest of all bytes before it. The same
// campaign gives the same bytes.
package archive
