package planning

import (
	"context"
	"crypto/sha256"
	"fmt"
	"path/filepath"

	"podium/internal/campaign"
	"podium/internal/judged"
	"podium/internal/tools"
	"podium/models"
)

// PrepareOne makes or opens the campaign of one tool on some instances, in a directory
// of its own below dir. Other files of the tool or of the instances, other limits and other places,
// make another campaign, so that a tool that was changed is run again.
func (o Options) PrepareOne(ctx context.Context, dir string, tool tools.Tool, instances []models.Instance) (*campaign.Campaign, error) {
	o.Tools, o.Models = []string{tool.Dir}, nil
	ed, _, err := judged.LoadEdition(o.Edition)
	if err != nil {
		return nil, err
	}
	digest, err := tool.Digest(ctx)
	if err != nil {
		return nil, err
	}
	key := sha256.New()
	fmt.Fprintln(key, digest, ed.Digest, o.Examinations, o.Driver, o.CPU, o.Wall, o.Memory, o.Cores, o.Version, o.Given, o.Everything)
	if o.Shown != "" {
		fmt.Fprintln(key, o.Shown)
	}
	for _, i := range instances {
		digest, err := i.Digest()
		if err != nil {
			return nil, err
		}
		fmt.Fprintln(key, i.ID, digest)
		o.Models = append(o.Models, i.Path)
	}
	c, _, err := Prepare(ctx, filepath.Join(dir, fmt.Sprintf("%s-%.12x", tool.Name, key.Sum(nil))), o)
	return c, err
}
