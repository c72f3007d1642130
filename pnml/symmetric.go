package pnml

// Symmetric is a symmetric net: a coloured net whose colours are those of finite
// sorts (ISO/IEC 15909-2, symmetric nets). Sorts, variables, places and
// transitions are known by their index in document order. A Symmetric is not
// changed once it is read.
type Symmetric struct {
	ID, Name    string
	Sorts       []Sort // the declared ones, then those written in place
	Variables   []Variable
	Places      Names
	Transitions Names
	PlaceSort   []int           // sort of every place
	Initial     []*Term         // per place a multiset without variables, nil when empty
	Guards      []*Term         // per transition a truth value, nil when always true
	Pre, Post   [][]ColouredArc // per transition: what it consumes, what it produces

	aside Position // of what a reader of one page without reference nodes would miss
}

// SortKind is the kind of a sort, by its PNML element.
type SortKind uint8

// The sorts of symmetric nets.
const (
	DotSort       SortKind = iota // one colour
	FiniteSort                    // finiteenumeration
	CyclicSort                    // cyclicenumeration
	RangeSort                     // finiteintrange
	ProductSort                   // tuples
	PartitionSort                 // the elements of a partition of another sort
)

var sortElements = [...]string{"dot", "finiteenumeration", "cyclicenumeration", "finiteintrange", "productsort", "partition"}

// Sort is a finite set of colours, numbered from 0: constants in the order of
// their declaration, integers ascending, tuples with the first component as the
// most significant.
type Sort struct {
	ID, Name  string // empty when the sort is written in place
	Kind      SortKind
	Constants []Constant // of enumerations and partitions
	First     int64      // of a range
	Factors   []int      // of a product: sorts
	Base      int        // of a partition: the sort that is split
	ElementOf []uint32   // of a partition: colour of the base to element
	Size      uint64     // number of colours
	Canonical int        // first sort that is equal: ranges with the same bounds, products of equal sorts
	Pos       Position
}

// Constant is a colour of an enumeration, or an element of a partition.
type Constant struct{ ID, Name string }

// Variable is a variable of the net's terms; its values are the colours of its
// sort.
type Variable struct {
	ID, Name string
	Sort     int
	Pos      Position
}

// ColouredArc is an arc with its inscription, a multiset over the sort of its
// place. Several arcs may connect the same two nodes.
type ColouredArc struct {
	Place int
	Term  *Term
	Pos   Position
}

// Op is the operator of a term.
type Op uint8

// The operators. Terms from OpConstant to OpTuple stand for one colour (a tuple
// with a multiset inside stands for the multiset of its combinations), those
// from OpNumberOf on for multisets, those from OpTrue on for truth values.
const (
	OpConstant    Op = iota // colour number Value of Sort
	OpVariable              // variable number Value
	OpSuccessor             // the next colour, after the last the first
	OpPredecessor           // the colour before, before the first the last
	OpElementOf             // the element of partition Sort that holds Args[0]
	OpTuple
	OpNumberOf // Value times Args[0], also scalarproduct
	OpAll      // every colour of Sort once
	OpElements // every colour of element Value of partition number Part once
	OpEmpty
	OpAdd
	OpSubtract // Args[0] less all others; what would fall below zero is zero
	OpTrue
	OpFalse
	OpAnd
	OpOr
	OpNot
	OpImply
	OpEqual
	OpUnequal
	OpLess
	OpLessEqual
	OpGreater
	OpGreaterEqual
)

// Term is a node of a term. Its sort is that of its colour, or of the colours of
// its multiset; -1 for truth values.
type Term struct {
	Op    Op
	Sort  int
	Value uint64
	Part  int // partition of OpElements
	Args  []*Term
	Pos   Position
}

// IsBoolean reports whether the term stands for a truth value.
func (t *Term) IsBoolean() bool { return t.Op >= OpTrue }

// IsColour reports whether the term stands for one colour.
func (t *Term) IsColour() bool {
	switch {
	case t.Op == OpTuple:
		for _, a := range t.Args {
			if !a.IsColour() {
				return false
			}
		}
		return true
	}
	return t.Op < OpTuple
}

// Walk calls do for the term and all terms inside it.
func (t *Term) Walk(do func(*Term)) {
	do(t)
	for _, a := range t.Args {
		a.Walk(do)
	}
}
