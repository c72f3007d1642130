// Package planning makes the plan of a campaign from what an organiser names:
// models, tools, an edition and limits. Every model, formula file and tool is read
// when the campaign is planned, so that a fault is found then and not in the night.
//
// [Prepare] makes a campaign, or opens one that was made from the same inputs.
package planning
