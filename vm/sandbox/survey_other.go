//go:build !linux

package sandbox

// SurveyControlGroups finds none: only Linux has them.
func SurveyControlGroups(string) Survey {
	return Survey{Kind: "none", Missing: []string{"Only Linux has control groups."}}
}
