package check

import (
	"podium/internal/explorer/components"
	"podium/internal/explorer/space"
)

// Bottoms calls visit with every strongly connected component that no edge
// leaves, all of whose markings are expanded, until visit gives false. Members
// are valid during the call. Its error says that memory is short.
func Bottoms(s *space.Space, visit func(members []uint32) bool) error {
	var row []uint32
	outside := s.States() // where markings lead that are not expanded
	c, err := components.New(s.Clock, s.Budget(), outside+1, func(node uint64, list []components.Edge) []components.Edge {
		switch i := uint32(node); {
		case i < s.Expanded():
			row = s.Successors(i, row)
			s.Clock.Work(len(row))
			for _, j := range row {
				list = append(list, components.To(uint64(j), 0))
			}
		case node != outside:
			list = append(list, components.To(outside, 0))
		}
		return list
	})
	if err != nil {
		return err
	}
	defer c.Close()
	c.Component = func(members []uint32, leaves bool) bool {
		return leaves || uint64(members[0]) == outside || visit(members)
	}
	_, err = c.From(0) // every marking is reachable from the first one
	return err
}
