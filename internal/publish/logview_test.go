package publish

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestLogExcerpt(t *testing.T) {
	long := strings.Repeat("exploring the state space\n", 100_000)
	view := logView{run: "run", rest: "rest.js"} // reads one after the other
	for name, c := range map[string]struct {
		log     string
		answers map[int64]string
		want    string
	}{
		"empty":            {"", nil, ""},
		"no final newline": {"one\ntwo", nil, "<span id=\"run-0\">one</span>\n<span id=\"run-4\">two</span>\n"},
		"escaped":          {"<script>&\"\n", nil, "<span id=\"run-0\">&lt;script&gt;&amp;&#34;</span>\n"},
		"answer":           {"a\nFORMULA x TRUE\nb\n", map[int64]string{2: "x: right"}, "<span id=\"run-0\">a</span>\n<mark id=\"run-2\" title=\"x: right\">FORMULA x TRUE</mark>\n<span id=\"run-17\">b</span>\n"},
		"noise":            {"\x00\x1b[31m\xff\u202e\r\n", nil, "<span id=\"run-0\">\u2400\u241b[31m\ufffd\ufffd</span>\n"},
		"long line":        {strings.Repeat("y", 1500) + "\nz\n", nil, "<span id=\"run-0\">" + strings.Repeat("y", 1000) + "<i>\u2026 501\u00a0B more on this line</i></span>\n<span id=\"run-1501\">z</span>\n"},
	} {
		t.Run(name, func(t *testing.T) {
			var whole bytes.Buffer
			view.answers = c.answers
			got, err := view.readLog(iotest.OneByteReader(strings.NewReader(c.log)), &whole)
			if err != nil || string(got.html) != c.want {
				t.Errorf("got %q, %v; want %q", got.html, err, c.want)
			}
			if whole.String() != c.log || got.bytes != int64(len(c.log)) {
				t.Errorf("the copy has %d bytes, %d were counted, the log has %d", whole.Len(), got.bytes, len(c.log))
			}
		})
	}
	at := int64(len(long))
	view.answers = map[int64]string{at: "x: right"}
	got, err := view.readLog(strings.NewReader(long+"FORMULA x TRUE\n"+long+"the end\n"), io.Discard)
	if err != nil || len(got.html) > 3*(logHead+2*logTail) || got.gaps != 2 {
		t.Errorf("an excerpt of %d bytes, error %v", len(got.html), err)
	}
	for _, want := range []string{"MB not shown", `<mark id="run-2600000"`, `<i class="gap" data-rest="rest.js" data-from="12272" data-to="25`, "the end</span>\n"} {
		if !strings.Contains(string(got.html), want) {
			t.Errorf("the excerpt lacks %q", want)
		}
	}
}

func TestLogErrorsAreReported(t *testing.T) {
	broken := errors.New("disk on fire")
	if _, err := new(logView).readLog(io.MultiReader(strings.NewReader("a\n"), iotest.ErrReader(broken)), io.Discard); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

func FuzzLogExcerpt(f *testing.F) {
	f.Add([]byte("FORMULA a TRUE TECHNIQUES X\nnoise\n"), int64(0))
	f.Add([]byte("a\n\xff\xfe\x00<b>]]>&amp;\u2028\n\n\nFORMULA a TRUE"), int64(5))
	f.Add(bytes.Repeat([]byte("long \x1b"), 20_000), int64(100))
	f.Fuzz(func(t *testing.T, log []byte, at int64) {
		var whole bytes.Buffer
		view := logView{run: "run", rest: "rest.js", answers: map[int64]string{at: "\x00<\">"}}
		got, err := view.readLog(bytes.NewReader(log), &whole)
		if err != nil || got.bytes != int64(len(log)) || !bytes.Equal(whole.Bytes(), log) {
			t.Fatalf("%d bytes copied, %d counted, %v", whole.Len(), got.bytes, err)
		}
		decoder := xml.NewDecoder(strings.NewReader("<pre>" + string(got.html) + "</pre>"))
		for {
			if _, err := decoder.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("not well-formed: %v\n%q", err, got.html)
			}
		}
	})
}
