package formula

// Rename gives formulas over other ids: property gives the new id of a
// property, node that of a place or transition. Descriptions are left out,
// since they may name what is renamed. The formulas given are not changed.
func Rename(properties []Property, property, node func(string) string) []Property {
	renamed := make([]Property, len(properties))
	for i, p := range properties {
		renamed[i] = Property{ID: property(p.ID), Formula: renameFormula(p.Formula, node)}
	}
	return renamed
}

func renameFormula(f Formula, node func(string) string) Formula {
	in := func(f Formula) Formula { return renameFormula(f, node) }
	switch f := f.(type) {
	case *AllPaths:
		return &AllPaths{in(f.F)}
	case *ExistsPath:
		return &ExistsPath{in(f.F)}
	case *Next:
		return &Next{in(f.F)}
	case *Globally:
		return &Globally{in(f.F)}
	case *Finally:
		return &Finally{in(f.F)}
	case *Until:
		return &Until{in(f.Before), in(f.Reach)}
	case *Not:
		return &Not{in(f.F)}
	case *And:
		return &And{each(f.Fs, in)}
	case *Or:
		return &Or{each(f.Fs, in)}
	case *Fireable:
		return &Fireable{each(f.Transitions, node)}
	case *LessEqual:
		return &LessEqual{renameInteger(f.Left, node), renameInteger(f.Right, node)}
	case *Bound:
		return &Bound{each(f.Places, node)}
	}
	return f // Deadlock and Constant name nothing
}

func renameInteger(x Integer, node func(string) string) Integer {
	in := func(x Integer) Integer { return renameInteger(x, node) }
	switch x := x.(type) {
	case *TokensCount:
		return &TokensCount{each(x.Places, node)}
	case *Sum:
		return &Sum{each(x.Terms, in)}
	case *Difference:
		return &Difference{each(x.Terms, in)}
	}
	return x // Number
}

func each[T any](list []T, do func(T) T) []T {
	out := make([]T, len(list))
	for i, x := range list {
		out[i] = do(x)
	}
	return out
}
