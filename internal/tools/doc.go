// Package tools is about the programs that take part: the manifest of a tool,
// its files and their digest, and how the directory of a built-in tool is
// written.
//
// A tool is a directory with a tool.yaml and a BenchKit_head.sh, which is
// started in the instance directory with the BK_ variables set.
package tools
