package scoring

// What the tests see of the inside.
var (
	RoundedQuotient = roundedQuotient
	Exclude         = exclude
)

func (s *Score) Count()        { s.count() }
func (s *Score) Add(item Item) { s.add(item) }
func (t *Tally) Book(s *Score) { t.book(s) }
func (t *Tally) Merge(u Tally) { t.merge(u) }

func (s *Scheme) WorthOf(items []Item, total int64) Worth { return s.worth(items, total) }
