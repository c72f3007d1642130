package qualify

import (
	"cmp"
	"slices"

	"podium/models"
)

// Smallest chooses an instance of each model, and of each form of it: the one whose
// files are the smallest.
func Smallest(list []models.Instance) []models.Instance {
	best := map[models.ID]models.Instance{}
	for _, i := range list {
		k := models.ID{Family: i.ID.Family, Kind: i.ID.Kind}
		if b, ok := best[k]; !ok || smaller(i, b) {
			best[k] = i
		}
	}
	chosen := make([]models.Instance, 0, len(best))
	for _, i := range best {
		chosen = append(chosen, i)
	}
	slices.SortFunc(chosen, func(a, b models.Instance) int { return cmp.Compare(a.ID.String(), b.ID.String()) })
	return chosen
}

func smaller(a, b models.Instance) bool {
	return cmp.Or(cmp.Compare(size(a), size(b)), cmp.Compare(a.ID.String(), b.ID.String())) < 0
}

// size is how many bytes the model has.
func size(i models.Instance) (n int64) {
	for _, f := range i.Files {
		if f.Name == models.ModelFile {
			n += f.Size
		}
	}
	return n
}
