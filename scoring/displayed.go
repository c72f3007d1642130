package scoring

import "podium/examinations"

// Displayed is examinations.Displayed, except that it returns a text that is no
// canonical number, as importers may keep one, unchanged.
func Displayed(v examinations.Value) string {
	if v.Kind == examinations.Nat && v != examinations.Infinite {
		for i := range len(v.Text) {
			if v.Text[i] < '0' || v.Text[i] > '9' {
				return v.Text
			}
		}
	}
	return examinations.Displayed(v)
}
