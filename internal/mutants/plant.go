package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// mutant is one small change.
type mutant struct {
	number int
	at     token.Position
	where  string // name of the function
	before string
	after  string
}

// key names a mutant in equivalent.txt, also after lines have moved.
func (m mutant) key(room string) string {
	return fmt.Sprintf("%s/%s %s: %s → %s", room, m.at.Filename, m.where, m.before, m.after)
}

// insertion is text that is put before the byte at an offset.
type insertion struct {
	offset int
	text   string
	closes bool // inner ones come first at one offset
}

// planter puts mutants into one file.
type planter struct {
	fset    *token.FileSet
	info    *types.Info
	pkg     *types.Package
	source  []byte
	where   string
	mutants *[]mutant
	edits   []insertion
}

// plant returns the file with all its mutants, each asleep.
func (p *planter) plant(file *ast.File) string {
	for _, decl := range file.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok || f.Body == nil {
			continue
		}
		p.where = f.Name.Name
		var above []ast.Node
		ast.Inspect(f.Body, func(n ast.Node) bool {
			if n == nil {
				above = above[:len(above)-1]
				return true
			}
			p.node(n, above)
			above = append(above, n)
			return true
		})
	}
	slices.SortStableFunc(p.edits, func(a, b insertion) int { return a.offset - b.offset })
	return p.text()
}

// text applies the insertions. At one offset the closing ones stand before the
// opening ones, and the closing ones of inner nodes, which were found later, first.
func (p *planter) text() string {
	var out strings.Builder
	at := 0
	for i := 0; i < len(p.edits); {
		j := i
		for j < len(p.edits) && p.edits[j].offset == p.edits[i].offset {
			j++
		}
		out.Write(p.source[at:p.edits[i].offset])
		at = p.edits[i].offset
		for k := j - 1; k >= i; k-- {
			if p.edits[k].closes {
				out.WriteString(p.edits[k].text)
			}
		}
		for _, e := range p.edits[i:j] {
			if !e.closes {
				out.WriteString(e.text)
			}
		}
		i = j
	}
	out.Write(p.source[at:])
	return out.String()
}

var otherOperators = map[token.Token][]token.Token{
	token.LSS: {token.LEQ, token.GEQ}, token.LEQ: {token.LSS, token.GTR},
	token.GTR: {token.GEQ, token.LEQ}, token.GEQ: {token.GTR, token.LSS},
	token.EQL: {token.NEQ}, token.NEQ: {token.EQL},
	token.LAND: {token.LOR}, token.LOR: {token.LAND},
	token.ADD: {token.SUB}, token.SUB: {token.ADD}, token.MUL: {token.QUO}, token.QUO: {token.MUL}, token.REM: {token.MUL},
}

// node plants the mutants of one node.
func (p *planter) node(n ast.Node, above []ast.Node) {
	if e, ok := n.(ast.Expr); ok && p.isConstant(e) {
		p.constant(e, above)
		return
	}
	switch n := n.(type) {
	case *ast.BinaryExpr:
		for _, op := range otherOperators[n.Op] {
			if n.Op == token.ADD && !p.isNumber(n) {
				continue
			}
			after := p.span(n.X) + " " + op.String() + " " + p.span(n.Y)
			p.expression(n, after)
		}
	case *ast.UnaryExpr:
		if n.Op == token.NOT || n.Op == token.SUB && p.isNumber(n) {
			p.expression(n, p.span(n.X))
		}
	case *ast.ExprStmt, *ast.IncDecStmt:
		p.statement(n.(ast.Stmt), above)
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE {
			p.statement(n, above)
		}
	}
}

// constant makes a whole number that is written in digits one more.
func (p *planter) constant(e ast.Expr, above []ast.Node) {
	if outer, ok := above[len(above)-1].(ast.Expr); ok && p.isConstant(outer) || !p.isNumber(e) || p.fixed(e, above) {
		return
	}
	switch e := e.(type) {
	case *ast.BasicLit, *ast.UnaryExpr, *ast.BinaryExpr:
		p.expression(e, p.span(e)+" + 1")
	}
}

func (p *planter) isConstant(e ast.Expr) bool { return p.info.Types[e].Value != nil }

// fixed reports whether a constant is not to be changed: the language asks for one here, or
// it is returned beside an error, where nobody looks at it.
func (p *planter) fixed(lit ast.Node, above []ast.Node) bool {
	child := lit
	for i := len(above) - 1; i >= 0; i-- {
		switch parent := above[i].(type) {
		case *ast.ArrayType, *ast.CaseClause:
			return true
		case *ast.GenDecl:
			return parent.Tok == token.CONST
		case *ast.KeyValueExpr:
			return parent.Key == child
		case *ast.BinaryExpr:
			if parent.Op == token.SHL || parent.Op == token.SHR {
				return true
			}
		case *ast.ReturnStmt:
			return p.returnsError(parent, child)
		case ast.Stmt:
			return false
		}
		child = above[i]
	}
	return false
}

// returnsError reports whether a statement returns a value beside an error that is one.
func (p *planter) returnsError(s *ast.ReturnStmt, value ast.Node) bool {
	last := s.Results[len(s.Results)-1]
	name, _ := last.(*ast.Ident)
	return last != value && (name == nil || name.Name != "nil") && types.Implements(p.info.TypeOf(last), errorType)
}

var errorType = types.Universe.Lookup("error").Type().Underlying().(*types.Interface)

func (p *planter) isNumber(e ast.Expr) bool {
	basic, ok := p.info.TypeOf(e).Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsNumeric != 0
}

// expression wraps an expression so that it has another value when the mutant is
// awake.
func (p *planter) expression(e ast.Expr, after string) {
	name := types.TypeString(types.Default(p.info.TypeOf(e)), func(other *types.Package) string {
		if other == p.pkg {
			return ""
		}
		return other.Name()
	})
	n := p.add(e, after)
	p.around(e, fmt.Sprintf("func() %s { if mutantAwake(%d) { return %s }; return ", name, n, after), " }()")
}

// statement leaves a statement out when the mutant is awake.
func (p *planter) statement(s ast.Stmt, above []ast.Node) {
	switch above[len(above)-1].(type) {
	case *ast.BlockStmt, *ast.CaseClause:
		p.around(s, fmt.Sprintf("if !mutantAwake(%d) { ", p.add(s, "(left out)")), " }")
	}
}

func (p *planter) add(n ast.Node, after string) int {
	at := p.fset.Position(n.Pos())
	number := len(*p.mutants) + 1
	*p.mutants = append(*p.mutants, mutant{number, at, p.where, oneLine(p.span(n)), oneLine(after)})
	return number
}

func (p *planter) around(n ast.Node, open, close string) {
	p.edits = append(p.edits, insertion{p.fset.Position(n.Pos()).Offset, open, false}, insertion{p.fset.Position(n.End()).Offset, close, true})
}

// span is the source text of a node.
func (p *planter) span(n ast.Node) string {
	return string(p.source[p.fset.Position(n.Pos()).Offset:p.fset.Position(n.End()).Offset])
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
