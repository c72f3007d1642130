package judged

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"podium/edition"
	"podium/examinations"
	"podium/examinations/verdict"
	"podium/internal/campaign"
	"podium/internal/files"
	"podium/internal/witness/program"
	"podium/pnml/diagnostic"
)

// mostWitness bounds the bytes of a witness whose form is checked, and mostProgram those of
// a program whose digest is compared.
const (
	mostWitness = 64 << 20
	mostProgram = 256 << 20
)

// CheckWitness checks the form of the witness of an answer to a task: what its format asks
// for, and what the rules of the edition take in the category. Dir has the files of the task, name is
// the file in the findings. A witness in a format of the tool's own has no findings.
func CheckWitness(t *campaign.PlannedTask, dir, name string, witness io.Reader, answer string, category examinations.ID, ed *edition.Edition) (program.Report, diagnostic.List, error) {
	text, err := io.ReadAll(io.LimitReader(witness, mostWitness+1))
	if err != nil {
		return program.Report{}, nil, err
	}
	if program.Recognise(text) == program.Own {
		return program.Report{Format: program.Own}, nil, nil
	}
	if len(text) > mostWitness {
		return program.Report{Format: program.Recognise(text)}, diagnostic.List{{File: name, Severity: diagnostic.Warning, Code: "witness-limit",
			Message: fmt.Sprintf("the witness is larger than %d MiB", mostWitness>>20), Hint: "its form was not checked"}}, nil
	}
	_, part := verdict.Parse(answer)
	asked := program.Asked{Kind: campaign.WitnessKind(answer), Parts: t.Parts, DataModel: t.DataModel}
	if formats, said := ed.FormatsOf(asked.Kind, t.Property, part, string(category)); said && len(formats) > 0 {
		for _, f := range formats {
			asked.Formats = append(asked.Formats, program.Format(f))
		}
	}
	for _, file := range t.Inputs {
		if err := readProgram(&asked, dir, file); err != nil {
			return program.Report{}, nil, err
		}
	}
	report, found := program.Check(name, text, asked)
	return report, found, nil
}

// readProgram takes the digests of an input file; a very large one is not compared.
func readProgram(asked *program.Asked, dir, name string) error {
	f, err := files.Open(dir, name)
	if err != nil {
		return err
	}
	text, err := io.ReadAll(io.LimitReader(f, mostProgram+1))
	if err = errors.Join(err, f.Close()); err == nil && len(text) <= mostProgram {
		asked.Program(filepath.Join(dir, name), text)
	}
	return err
}
