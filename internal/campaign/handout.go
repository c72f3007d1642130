package campaign

import (
	"fmt"
	"maps"
	"slices"

	"podium/examinations"
	"podium/internal/wording"
	"podium/models"
)

// HandoutText says in lines what runs are not given of instances, how many of the values that
// are asked can be read from what they are given, and how many are copies; none where all are nothing.
func (p *Plan) HandoutText() (lines []string) {
	withheld, of := map[string]int{}, 0
	told, values := map[string]int{}, 0
	copies, repeated := map[string]int{}, 0
	for _, i := range p.Instances {
		for _, name := range i.Withheld {
			withheld[name]++
		}
		if len(i.Withheld) > 0 {
			of++
		}
		for _, exam := range p.Examinations {
			n := len(i.Told[exam])
			if values += n; n > 0 {
				told[string(exam)] += n
			}
			if n := len(i.Copies[exam]); n > 0 {
				copies[string(exam)] += n
				repeated += n
			}
		}
	}
	if of > 0 {
		lines = append(lines, fmt.Sprintf("given: %s; runs on %d of %s are not given %s", p.Handout, of, wording.Count(len(p.Instances), "instance", "instances"), counted(withheld)))
	}
	if values > 0 {
		hint := "nets say that their units are safe"
		if p.Handout == models.GiveAll {
			hint = "--given without-asked withholds what the form states"
		}
		lines = append(lines, fmt.Sprintf("%s can be read from what runs are given (%s): %s", wording.Count(values, "asked value", "asked values"), counted(told), hint))
	}
	if repeated > 0 {
		lines = append(lines, fmt.Sprintf("%s the same as another one of the file (%s); `podium check formulas INSTANCE` names them", wording.Count(repeated, "asked value asks", "asked values ask"), counted(copies)))
	}
	return lines
}

// Copies returns the values that ask the same as an earlier one of the file, with that.
func (p *Plan) Copies() map[examinations.Key]string {
	return p.byValue(func(i *PlannedInstance) map[examinations.ID]map[string]string { return i.Copies })
}

// byValue returns a text of each value that instances have one of.
func (p *Plan) byValue(of func(*PlannedInstance) map[examinations.ID]map[string]string) map[examinations.Key]string {
	all := map[examinations.Key]string{}
	for k := range p.Instances {
		id, err := models.ParseID(p.Instances[k].ID)
		if err != nil {
			continue
		}
		for exam, items := range of(&p.Instances[k]) {
			for item, text := range items {
				all[examinations.Key{Instance: id, Exam: exam, Item: item}] = text
			}
		}
	}
	return all
}

// counted lists names with their numbers.
func counted(of map[string]int) string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(of)) {
		list = append(list, fmt.Sprintf("%s %d", name, of[name]))
	}
	return wording.Few(list, 12)
}

// Told returns the values that what runs are given states.
func (p *Plan) Told() map[examinations.Key]examinations.Value {
	told := map[examinations.Key]examinations.Value{}
	for key, text := range p.byValue(func(i *PlannedInstance) map[examinations.ID]map[string]string { return i.Told }) {
		told[key] = examinations.Value{Kind: key.Exam.Kind(), Text: text}
	}
	return told
}
