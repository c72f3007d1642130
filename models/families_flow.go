package models

import "fmt"

// Nets of things that flow: parts, messages, orders, samples, molecules.

// kanbanCells has four cells, each with n cards (kanban). A part in a cell is
// machined, sent back for rework, or waits at the exit; cells 2 and 3 work in
// parallel between 1 and 4.
var kanbanCells = family(Family{
	Name:   "KanbanCells",
	Title:  "four production cells with n cards each",
	Source: "G. Ciardo, M. Tilgner, On the use of Kronecker operators for the solution of generalized stochastic Petri nets, ICASE report 96-35, 1996",
	Params: "the number of cards of a cell",
	Ladder: []string{"0001", "0002", "0003", "0005", "0010", "0050", "0200", "1000"},
}, 1, 1_000_000_000, func(n int, b *net) {
	var cards, machine, back, exit [4]int
	for c := range 4 {
		cards[c], machine[c], back[c], exit[c] = b.place(n, "cards_%d", c+1), b.place(0, "machine_%d", c+1), b.place(0, "back_%d", c+1), b.place(0, "exit_%d", c+1)
		b.rule(of("redo", c), []int{machine[c]}, []int{back[c]})
		b.rule(of("again", c), []int{back[c]}, []int{machine[c]})
		b.rule(of("good", c), []int{machine[c]}, []int{exit[c]})
	}
	b.rule("begin", []int{cards[0]}, []int{machine[0]})
	b.rule("split", []int{exit[0], cards[1], cards[2]}, []int{cards[0], machine[1], machine[2]})
	b.rule("join", []int{exit[1], exit[2], cards[3]}, []int{cards[1], cards[2], machine[3]})
	b.rule("end", []int{exit[3]}, []int{cards[3]})
})

// flexibleManufacturing makes three kinds of parts on three machines (3, 1 and
// 2 copies): part 1 on machine 1, part 2 on machine 2, part 3 on machine 2 as
// well, and parts 1 and 2 may be joined to part 12 on machine 3.
var flexibleManufacturing = family(Family{
	Name:   "FlexibleManufacturing",
	Title:  "a manufacturing system with three machines and four kinds of parts",
	Source: "G. Ciardo, K. S. Trivedi, A decomposition approach for stochastic reward net models, Performance Evaluation 18(1), 1993",
	Params: "the number of pallets of each of the parts 1, 2 and 3",
	Ladder: []string{"0001", "0002", "0003", "0005", "0010", "0050", "0200"},
}, 1, 1_000_000_000, func(n int, b *net) {
	machine1, machine2, machine3 := b.place(3, "machine_1"), b.place(1, "machine_2"), b.place(2, "machine_3")
	raw1, lone1, single1 := machined(b, "1", n, machine1)
	raw2, lone2, single2 := machined(b, "2", n, machine2)
	raw3, wait3, ship3 := b.place(n, "raw_3"), b.place(0, "wait_3"), b.place(0, "shipped_3")
	b.rule("bring_3", []int{raw3}, []int{wait3})
	b.rule("work_3", []int{wait3, machine2}, []int{ship3, machine2})
	b.rule("renew_3", []int{ship3}, []int{raw3})

	joined, wait12, on12, ship12 := b.place(0, "joined_12"), b.place(0, "wait_12"), b.place(0, "on_12"), b.place(0, "shipped_12")
	b.rule("join_12", []int{lone1, lone2}, []int{joined})
	b.rule("bring_12", []int{joined}, []int{wait12})
	b.rule("load_12", []int{wait12, machine3}, []int{on12})
	b.rule("unload_12", []int{on12}, []int{ship12, machine3})
	b.rule("renew_12", []int{ship12}, []int{raw1, raw2})
	b.rule("renew_1", []int{single1}, []int{raw1})
	b.rule("renew_2", []int{single2}, []int{raw2})
})

// machined makes the line of part 1 or 2: brought, loaded, unloaded, then
// shipped alone or kept for joining.
func machined(b *net, part string, n, machine int) (raw, keep, ship int) {
	raw, keep, ship = b.place(n, "raw_%s", part), b.place(0, "kept_%s", part), b.place(0, "shipped_%s", part)
	wait, on, ready := b.place(0, "wait_%s", part), b.place(0, "on_%s", part), b.place(0, "ready_%s", part)
	b.rule("bring_"+part, []int{raw}, []int{wait})
	b.rule("load_"+part, []int{wait, machine}, []int{on})
	b.rule("unload_"+part, []int{on}, []int{ready, machine})
	b.rule("ship_"+part, []int{ready}, []int{ship})
	b.rule("keep_"+part, []int{ready}, []int{keep})
	return raw, keep, ship
}

var boundedBuffer = family(Family{
	Name:   "BoundedBuffer",
	Title:  "producers and consumers with a buffer of bounded capacity",
	Source: "E. W. Dijkstra, Cooperating sequential processes, EWD 123, 1965",
	Params: "the number n of producers, of consumers and of slots",
	Ladder: []string{"0001", "0002", "0005", "0010", "0030", "0090", "0500", "4000"},
}, 1, 1_000_000_000, func(n int, b *net) {
	produce, deposit := b.place(n, "toProduce"), b.place(0, "toDeposit")
	remove, consume := b.place(n, "toRemove"), b.place(0, "toConsume")
	free, full := b.place(n, "free"), b.place(0, "full")
	b.rule("produce", []int{produce}, []int{deposit})
	b.rule("deposit", []int{deposit, free}, []int{produce, full})
	b.rule("remove", []int{remove, full}, []int{consume, free})
	b.rule("consume", []int{consume}, []int{remove})
})

// unboundedChannels is live and unbounded: nothing slows the producer down.
var unboundedChannels = family(Family{
	Name:   "UnboundedChannels",
	Title:  "a producer feeds a pipeline of workers through channels without bound",
	Source: "R. M. Karp, R. E. Miller, Parallel program schemata, Journal of Computer and System Sciences 3(2), 1969",
	Params: "the number of workers",
	Ladder: []string{"01", "02", "05", "10", "50"},

	Unbounded: true,
}, 1, 100_000, func(n int, b *net) {
	channel := b.places(n, 0, "channel_%d")
	ready, item := b.place(1, "ready"), b.place(0, "item")
	b.rule("make", []int{ready}, []int{item})
	b.rule("send", []int{item}, []int{ready, channel[0]})
	for i := range n {
		free, busy := b.place(1, "free_%d", i+1), b.place(0, "busy_%d", i+1)
		b.rule(of("take", i), []int{free, channel[i]}, []int{busy})
		give := []int{free}
		if i+1 < n {
			give = append(give, channel[i+1])
		}
		b.rule(of("done", i), []int{busy}, give)
	}
})

// orderWorkflow is a sound workflow net: from the place i every run can end,
// and ends with one token in o and none elsewhere. It is safe, and its final
// marking is dead.
var orderWorkflow = family(Family{
	Name:   "OrderWorkflow",
	Title:  "an order passes n parallel checks, then is rejected, or shipped and billed",
	Source: "W. M. P. van der Aalst, The application of Petri nets to workflow management, J. of Circuits, Systems and Computers 8(1), 1998",
	Params: "the number of checks",
	Ladder: []string{"01", "02", "04", "08", "12", "20", "40"},
}, 1, 10_000, func(n int, b *net) {
	in, out := b.place(1, "i"), b.place(0, "o")
	open, checking, done := b.places(n, 0, "open_%d"), b.places(n, 0, "checking_%d"), b.places(n, 0, "done_%d")
	b.rule("register", []int{in}, open)
	for k := range n {
		b.rule(of("begin", k), []int{open[k]}, []int{checking[k]})
		b.rule(of("redo", k), []int{checking[k]}, []int{open[k]})
		b.rule(of("end", k), []int{checking[k]}, []int{done[k]})
	}
	judged, rejected := b.place(0, "judged"), b.place(0, "rejected")
	toShip, toBill, shipped, billed := b.place(0, "toShip"), b.place(0, "toBill"), b.place(0, "shipped"), b.place(0, "billed")
	b.rule("judge", done, []int{judged})
	b.rule("reject", []int{judged}, []int{rejected})
	b.rule("accept", []int{judged}, []int{toShip, toBill})
	b.rule("ship", []int{toShip}, []int{shipped})
	b.rule("bill", []int{toBill}, []int{billed})
	b.rule("closeOrder", []int{shipped, billed}, []int{out})
	b.rule("closeRejected", []int{rejected}, []int{out})
})

// sampleRateConverter has five buffers of one capacity between actors that
// consume and produce several samples at once. The buffer with rates 8 and 7
// needs 14 = 8+7-1 slots: below, every run ends in a dead marking; from 14 on
// the net is live.
var sampleRateConverter = family(Family{
	Name:   "SampleRateConverter",
	Title:  "synchronous data flow from compact disc (44.1 kHz) to digital tape (48 kHz) with bounded buffers",
	Source: "E. A. Lee, D. G. Messerschmitt, Synchronous data flow, Proceedings of the IEEE 75(9), 1987; the rates as usual since S. S. Bhattacharyya, P. K. Murthy, E. A. Lee, Software synthesis from dataflow graphs, 1996",
	Params: "the capacity of each buffer",
	Ladder: []string{"08", "13", "14", "20", "40", "80"},
}, 8, 1_000_000_000, func(n int, b *net) {
	rates := [][2]uint64{{1, 1}, {2, 3}, {2, 7}, {8, 7}, {5, 1}} // produced and consumed at each buffer
	samples, space := b.places(len(rates), 0, "samples_%d"), b.places(len(rates), n, "space_%d")
	for actor := range len(rates) + 1 {
		t := b.Transition(fmt.Sprintf("actor_%d", actor+1))
		if actor > 0 {
			consumed := rates[actor-1][1]
			b.In(samples[actor-1], t, consumed)
			b.Out(t, space[actor-1], consumed)
		}
		if actor < len(rates) {
			produced := rates[actor][0]
			b.In(space[actor], t, produced)
			b.Out(t, samples[actor], produced)
		}
	}
})

// enzymeKinetics has arbitrarily large markings, and ends dead: all
// substrate has become product.
var enzymeKinetics = family(Family{
	Name:   "EnzymeKinetics",
	Title:  "an enzyme binds a substrate and turns it into a product: three reactions on n molecules",
	Source: "L. Michaelis, M. L. Menten, Die Kinetik der Invertinwirkung, Biochemische Zeitschrift 49, 1913",
	Params: "the number of molecules of substrate and of enzyme",
	Ladder: []string{"0000000001", "0000000010", "0000000100", "0000001000", "0001000000", "1000000000", "4000000000"},
}, 1, 1_000_000_000_000_000_000, func(n int, b *net) {
	substrate, enzyme := b.place(n, "substrate"), b.place(n, "enzyme")
	bound, product := b.place(0, "bound"), b.place(0, "product")
	b.rule("bind", []int{substrate, enzyme}, []int{bound})
	b.rule("release", []int{bound}, []int{substrate, enzyme})
	b.rule("turnOver", []int{bound}, []int{enzyme, product})
})

// alternatingBit loses and repeats messages. The channels are bags: with one
// place they keep the order and the protocol delivers each message once.
var alternatingBit = family(Family{
	Name:   "AlternatingBit",
	Title:  "sender and receiver number their messages modulo 2 over channels that lose some",
	Source: "K. A. Bartlett, R. A. Scantlebury, P. T. Wilkinson, A note on reliable full-duplex transmission over half-duplex links, CACM 12(5), 1969",
	Params: "the capacity of both channels",
	Ladder: []string{"001", "002", "005", "010", "030", "100"},
}, 1, 1_000_000_000, func(n int, b *net) {
	message, ack := b.places(2, 0, "message_%d"), b.places(2, 0, "ack_%d")
	roomMessage, roomAck := b.place(n, "roomMessage"), b.place(n, "roomAck")
	sends := []int{b.place(1, "sends_1"), b.place(0, "sends_2")}
	expects := []int{b.place(1, "expects_1"), b.place(0, "expects_2")}
	for bit := range 2 {
		other := 1 - bit
		b.rule(of("send", bit), []int{sends[bit], roomMessage}, []int{sends[bit], message[bit]})
		b.rule(of("loseMessage", bit), []int{message[bit]}, []int{roomMessage})
		b.rule(of("receive", bit), []int{expects[bit], message[bit], roomAck}, []int{expects[other], ack[bit], roomMessage})
		b.rule(of("receiveAgain", bit), []int{expects[other], message[bit], roomAck}, []int{expects[other], ack[bit], roomMessage})
		b.rule(of("loseAck", bit), []int{ack[bit]}, []int{roomAck})
		b.rule(of("confirm", bit), []int{sends[bit], ack[bit]}, []int{sends[other], roomAck})
		b.rule(of("ignore", bit), []int{sends[other], ack[bit]}, []int{sends[other], roomAck})
	}
})
