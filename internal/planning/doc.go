// Package planning makes the plan of a campaign from the models, tools, edition
// and limits that an organiser names. It reads every model, formula file and
// tool, so that faults are found when the campaign is planned and not while it
// runs.
//
// [Prepare] makes a campaign, or opens one that was made from the same inputs.
package planning
