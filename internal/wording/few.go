package wording

import (
	"fmt"
	"strings"
)

// Few lists the first names, at most some, and says how many more there are.
func Few(names []string, most int) string {
	if len(names) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}
