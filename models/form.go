package models

import (
	"bufio"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// Truth is the value of a property in the model form: true, false or unknown.
type Truth uint8

// The zero value is Unknown.
const (
	Unknown Truth = iota
	True
	False
)

// String is the word of GenericPropertiesVerdict.xml.
func (t Truth) String() string { return [...]string{"unknown", "true", "false"}[t] }

// MarshalText returns the same word as String.
func (t Truth) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// Decided returns True or False.
func Decided(b bool) Truth {
	if b {
		return True
	}
	return False
}

// Verdict is the value of one property in the model form.
type Verdict struct {
	Property string `json:"property"` // ORDINARY ... LIVE, as in GenericPropertiesDefinition.xml
	Value    Truth  `json:"value"`
	Why      string `json:"why,omitempty"` // a witness, or why it is unknown
	Line     int    `json:"-"`             // of the form that was read
}

// Form is the table of properties that comes with a model (M-4). By is the
// program that decided them, with its version.
type Form struct {
	Model    string    `json:"model"`
	By       string    `json:"stated_by"`
	Verdicts []Verdict `json:"verdicts"`
}

// WriteText writes the form as a table of three columns.
func (f *Form) WriteText(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, v := range f.Verdicts {
		fmt.Fprintf(t, "%s\t%s\t%s\n", v.Property, v.Value, v.Why)
	}
	return t.Flush()
}

// WriteJSON writes the form as one JSON document.
func (f *Form) WriteJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(struct {
		Format string `json:"format"`
		*Form
	}{"podium-model-form/1", f})
}

var latex = strings.NewReplacer(`\`, `\textbackslash{}`, "_", `\_`, "%", `\%`, "&", `\&`, "#", `\#`, "$", `\$`, "{", `\{`, "}", `\}`, "^", `\^{}`, "~", `\~{}`)

// WriteLaTeX writes the form as a LaTeX tabular for the description of the
// model.
func (f *Form) WriteLaTeX(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "%% %s\n\\begin{tabular}{llp{0.5\\linewidth}}\n", f.Model)
	for _, v := range f.Verdicts {
		fmt.Fprintf(b, "%s & %s & %s \\\\\n", latex.Replace(strings.ToLower(v.Property)), v.Value, latex.Replace(v.Why))
	}
	fmt.Fprintln(b, "\\end{tabular}")
	return b.Flush()
}

// WriteXML writes the form as GenericPropertiesVerdict.xml (propertiesverdict,
// version 2.0).
func (f *Form) WriteXML(w io.Writer) error {
	b := bufio.NewWriter(w)
	escape := func(s string) string {
		var out strings.Builder
		_ = xml.EscapeText(&out, []byte(s))
		return out.String()
	}
	fmt.Fprintf(b, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<toolspecific tool=\"propertiesverdict\" version=\"2.0\">\n  <modelreference modelname=\"%s\"/>\n", escape(f.Model))
	tool, version, _ := strings.Cut(f.By, " ")
	for _, v := range f.Verdicts {
		fmt.Fprintf(b, "  <verdict category=\"GENERIC\" reference=\"%s\" value=\"%s\">\n    <explanation>%s</explanation>\n    <statedby tool=\"%s\" version=\"%s\"/>\n  </verdict>\n",
			v.Property, v.Value, escape(v.Why), escape(tool), escape(version))
	}
	fmt.Fprintln(b, "</toolspecific>")
	return b.Flush()
}
