package diagnostic

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// Format is a form in which findings are written.
type Format string

// Text is for people, JSON (one object a line) for programs, GitHub for the
// annotations that a workflow of that name shows beside the lines.
const (
	Text   Format = "text"
	JSON   Format = "json"
	GitHub Format = "github"
)

// ParseFormat reads the name of a format; another word is an error that lists
// the names.
func ParseFormat(name string) (Format, error) {
	switch f := Format(name); f {
	case Text, JSON, GitHub:
		return f, nil
	}
	return "", fmt.Errorf("%q is no format of findings%s", name, Instead(name, []string{string(Text), string(JSON), string(GitHub)}))
}

// Write writes the findings in their order.
func (l List) Write(w io.Writer, f Format) error {
	b := bufio.NewWriter(w)
	enc := json.NewEncoder(b)
	for _, d := range l {
		switch f {
		case JSON:
			if err := enc.Encode(d.object()); err != nil {
				return err
			}
		case GitHub:
			fmt.Fprintln(b, d.annotation())
		default:
			fmt.Fprintln(b, d.Error())
		}
	}
	return b.Flush()
}

type object struct {
	File     string `json:"file"`
	Line     int    `json:"line,omitempty"`
	Col      int    `json:"col,omitempty"`
	Severity string `json:"severity"`
	Code     string `json:"code,omitempty"`
	Message  string `json:"message"`
	Hint     string `json:"hint,omitempty"`
}

func (d Diagnostic) object() object {
	return object{d.File, d.Line, d.Col, d.Severity.String(), d.Code, d.Message, d.Hint}
}

// annotation is a workflow command: values are escaped as GitHub documents it.
func (d Diagnostic) annotation() string {
	word := map[Severity]string{Error: "error", Warning: "warning", Note: "notice"}[d.Severity]
	value := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	at := "file=" + property.Replace(d.File)
	if d.Line > 0 {
		at += fmt.Sprintf(",line=%d", d.Line)
	}
	if d.Col > 0 {
		at += fmt.Sprintf(",col=%d", d.Col)
	}
	if d.Code != "" {
		at += ",title=" + property.Replace(d.Code)
	}
	message := d.Message
	if d.Hint != "" {
		message += "; " + d.Hint
	}
	return "::" + word + " " + at + "::" + value.Replace(message)
}
