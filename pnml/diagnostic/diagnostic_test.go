package diagnostic

import (
	"strings"
	"testing"
)

var list = List{
	{File: "b.xml", Line: 2, Col: 7, Code: "pnml-arc", Message: "the arc ends nowhere", Hint: "name a place"},
	{File: "a.xml", Severity: Warning, Message: "odd, but 100% fine:\nreally"},
	{File: "b.xml", Line: 2, Col: 7, Code: "pnml-arc", Message: "the arc ends nowhere", Hint: "name a place"},
	{File: "b.xml", Line: 2, Severity: Note, Message: "seen"},
}

func TestWrite(t *testing.T) {
	sorted := append(List(nil), list...)
	sorted.Sort()
	for format, want := range map[Format]string{
		Text: "a.xml: warning: odd, but 100% fine:\u240areally\nb.xml:2: note: seen\nb.xml:2:7: the arc ends nowhere [pnml-arc]; name a place\n",
		JSON: `{"file":"a.xml","severity":"warning","message":"odd, but 100% fine:\nreally"}` + "\n" +
			`{"file":"b.xml","line":2,"severity":"note","message":"seen"}` + "\n" +
			`{"file":"b.xml","line":2,"col":7,"severity":"error","code":"pnml-arc","message":"the arc ends nowhere","hint":"name a place"}` + "\n",
		GitHub: "::warning file=a.xml::odd, but 100%25 fine:%0Areally\n::notice file=b.xml,line=2::seen\n" +
			"::error file=b.xml,line=2,col=7,title=pnml-arc::the arc ends nowhere; name a place\n",
	} {
		var b strings.Builder
		if err := sorted.Write(&b, format); err != nil || b.String() != want {
			t.Errorf("%s: got\n%s\nwant\n%s\n%v", format, b.String(), want, err)
		}
	}
	if _, err := ParseFormat("xml"); err == nil {
		t.Error("an unknown format was taken")
	}
}

func TestOnlyErrorsRefuse(t *testing.T) {
	if err := list[1:2].Err(); err != nil {
		t.Errorf("a warning refuses: %v", err)
	}
	if err := list.Err(); err == nil {
		t.Error("errors do not refuse")
	}
	if n := list.Count(Error); n != 2 {
		t.Errorf("%d errors", n)
	}
}
