package enumeration

import "slices"

// components finds the strongly connected components of a graph of nodes numbered from
// 0, those that others lead to first (R. Tarjan, "Depth-first search and linear graph
// algorithms", 1972). after may find new nodes; only those met from node 0 count.
// visit gets the members of each, and a test of whether another node is one of them; it
// ends the search by false.
func components(size int, after func(int32) []int32, visit func(members []int32, within func(int32) bool) bool) {
	number := make([]int32, size) // in the order of the search, from 1; 0 before
	low := make([]int32, size)
	component := make([]int32, size) // from 1; 0 while it is open
	var path, open []int32
	var left [][]int32 // successors still to be seen, for each node of the path
	count, closed := int32(0), int32(0)
	enter := func(i int32) {
		count++
		next := after(i)
		for most := slices.Max(append([]int32{i}, next...)); len(number) <= int(most); {
			number, low, component = append(number, 0), append(low, 0), append(component, 0)
		}
		number[i], low[i] = count, count
		path, open, left = append(path, i), append(open, i), append(left, next)
	}
	for enter(0); len(path) > 0; {
		top := len(path) - 1
		i := path[top]
		if len(left[top]) > 0 {
			j := left[top][0]
			left[top] = left[top][1:]
			switch {
			case number[j] == 0:
				enter(j)
			case component[j] == 0:
				low[i] = min(low[i], number[j])
			}
			continue
		}
		path, left = path[:top], left[:top]
		if top > 0 {
			low[path[top-1]] = min(low[path[top-1]], low[i])
		}
		if low[i] < number[i] {
			continue
		}
		first := len(open) - 1
		for open[first] != i {
			first--
		}
		members := open[first:]
		open = open[:first]
		closed++
		for _, j := range members {
			component[j] = closed
		}
		if !visit(members, func(j int32) bool { return component[j] == closed }) {
			return
		}
	}
}
