package tools

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"podium/internal/files"
)

const starterManifest = `format: podium-tool/1
name: %s
title: a line about your method
version: "0.1"
# family: %s          # give variants of one submission the same family
# kind: concurrent      # 4 cores instead of 1
# examinations: [StateSpace, OneSafe]   # what the tool takes part in; it is not run on others
# nets: [PT]            # PT, COL or both
# techniques: [EXPLICIT]                # that its answers name
%s       # directories of the tool that it writes to: there, and empty in each run
# authors: Ada Lovelace, Emmy Noether
# home: https://example.org/mytool
# licence: Apache-2.0
# consent: true         # the organisers may run the tool, keep it in the contest's archive, and publish its answers
`

const starterComment = `#!/bin/sh
# Started once for every examination, in a private copy of the instance directory:
#   model.pnml              the net
#   $BK_EXAMINATION.xml     the formulas, for formula examinations
# Put programs into bin/ beside this file: it is $BIN_DIR. The tool's own directory
# is read-only: write to $TMPDIR, or to $BK_RESULT_DIR what is to be kept. There are
# $BK_TIME_CONFINEMENT seconds of CPU time and $BK_MEMORY_CONFINEMENT megabytes.
# Print an answer as soon as it is known: what was printed before a limit counts.
`

const starterHead = starterComment + `
case "$BK_EXAMINATION" in
StateSpace)
    # STATE_SPACE STATES 43463 TECHNIQUES EXPLICIT
    echo CANNOT_COMPUTE
    ;;
ReachabilityDeadlock | QuasiLiveness | StableMarking | Liveness | OneSafe)
    # FORMULA ReachabilityDeadlock TRUE TECHNIQUES EXPLICIT
    echo CANNOT_COMPUTE
    ;;
UpperBounds | ReachabilityCardinality | ReachabilityFireability | CTLCardinality | CTLFireability | LTLCardinality | LTLFireability)
    # one line per formula, with the id of the file:
    # FORMULA Model-PT-01-UpperBounds-00 3 TECHNIQUES TOPOLOGICAL
    sed -n 's:.*<id>\(.*\)</id>.*:FORMULA \1 CANNOT_COMPUTE:p' "$BK_EXAMINATION.xml"
    ;;
*)
    echo DO_NOT_COMPETE
    ;;
esac
`

// commandHead is the head of a command that is known.
const commandHead = starterComment + `
# What the command prints is read as it is, so it has to print lines such as
#   FORMULA Model-PT-01-UpperBounds-00 3 TECHNIQUES TOPOLOGICAL
#   STATE_SPACE STATES 43463 TECHNIQUES EXPLICIT
# A pipe through sed or awk can make them of others. On what it does not answer:
# case "$BK_EXAMINATION" in LTL*) echo DO_NOT_COMPETE; exit ;; esac

%s
`

// NameError is a name that no tool can have.
type NameError string

func (e NameError) Error() string {
	return fmt.Sprintf("%q is no name of a tool: use 1 to 64 letters, digits, '.', '_', '+' and '-', beginning with a letter or digit", string(e))
}

// WriteStarter writes a new tool directory: a manifest and a commented
// BenchKit_head.sh that runs a command, or without one answers every examination with
// CANNOT_COMPUTE. A directory that has its head and lacks the manifest, as teams hand them in for
// BenchKit, gets only the manifest. Else the error is [fs.ErrExist] where the directory holds
// something already, and replace does not say that it may go.
func WriteStarter(dir string, command *Command, replace bool) (Tool, error) {
	name := filepath.Base(filepath.Clean(dir))
	if !toolName.MatchString(name) {
		return Tool{}, NameError(name)
	}
	manifest := func(dir, writable string) error {
		text := fmt.Appendf(nil, starterManifest, name, name, writable)
		return os.WriteFile(filepath.Join(dir, ManifestFile), text, 0o644)
	}
	head, writable := starterHead, "# writable: [tmp]"
	if _, err := os.Lstat(filepath.Join(dir, headFile)); err == nil && command == nil {
		err := files.Into(dir, false, func(dir string) error { return manifest(dir, writable) })
		if err == nil {
			return Open(dir)
		} else if !errors.Is(err, fs.ErrExist) {
			return Tool{}, err
		}
	}
	return newDirectory(dir, replace, func(dir string) error {
		if command != nil {
			if len(command.writable) > 0 {
				writable = fmt.Sprintf("writable: [%s]", strings.Join(command.writable, ", "))
			}
			head = fmt.Sprintf(commandHead, command.Line)
			if err := command.copyTo(dir); err != nil {
				return err
			}
		}
		return errors.Join(manifest(dir, writable), os.WriteFile(filepath.Join(dir, headFile), []byte(head), 0o755))
	})
}

// newDirectory makes a tool directory and opens it. Where it cannot be filled or opened,
// nothing is changed.
func newDirectory(dir string, replace bool, fill func(dir string) error) (Tool, error) {
	whole, err := filepath.Abs(dir)
	if err != nil {
		return Tool{}, err
	}
	err = files.Into(filepath.Dir(whole), replace, func(parent string) error {
		fresh := filepath.Join(parent, filepath.Base(whole))
		if err := errors.Join(os.Mkdir(fresh, 0o755), fill(fresh)); err != nil {
			return err
		}
		_, err := Open(fresh)
		return err
	})
	if err != nil {
		return Tool{}, err
	}
	return Open(dir)
}
