// Package trial does one run of a tool as a contest would, outside of a campaign: for
// developers who want to see at once which answers are read. Runs whose tool, instance
// and limits have not changed are remembered.
package trial
