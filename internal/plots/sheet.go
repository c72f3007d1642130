package plots

import (
	_ "embed"
	"strings"
)

// Sheet is the style sheet of charts: in files that stand alone, and for pages that hold
// drawings.
//
//go:embed chart.css
var Sheet string

// sheet is the style sheet in one line.
func sheet() string { return strings.ReplaceAll(strings.TrimSpace(Sheet), "\n", "") }
