package publish

import (
	"strings"
	"testing"
)

// TestTaskWords: what podium says of nets it says of tasks, with the right article; what
// templates compute, and where they lead, stays.
func TestTaskWords(t *testing.T) {
	for text, want := range map[string]string{
		"Every run on an instance of a model": "Every run on a task of a task",
		"An examination and two examinations": "A category and two categories",
		"All instances, instantly":            "All tasks, instantly",
		"Kaufmann's network models":           "Kaufmann's network tasks",
	} {
		if got := TaskWords(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	source := `<a href="{{.Root}}instances.html" title="Every instance" data-x="instance"{{if eq .Here "models"}} class="model"{{end}}>Instances</a>{{with .Instances}}the net {{.}}{{end}} a < b`
	want := `<a href="{{.Root}}instances.html" title="Every task" data-x="instance"{{if eq .Here "models"}} class="model"{{end}}>Tasks</a>{{with .Instances}}the task {{.}}{{end}} a < b`
	if got := TaskTemplate(source); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	layout, err := embedded.ReadFile("templates/layout.html")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<b>Task</b><b>Category</b>", ">without the tasks \u2026<", ">only the category \u2026<"} {
		if !strings.Contains(TaskTemplate(string(layout)), want) {
			t.Errorf("a question on tasks has no words %q", want)
		}
	}
}
