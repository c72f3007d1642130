package xmlscan

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"
)

// events writes a document as one line of events; texts that follow each other
// are joined.
func events(s *Scanner) (string, error) {
	var b strings.Builder
	var text []byte
	flush := func() {
		if t := bytes.TrimSpace(text); len(t) > 0 {
			fmt.Fprintf(&b, "%q", t)
		}
		text = text[:0]
	}
	for {
		switch s.Next() {
		case Start:
			flush()
			fmt.Fprintf(&b, "<%s", s.Name())
			for i := range s.Attrs() {
				name, value := s.AttrAt(i)
				if !strings.HasPrefix(string(name), "xmlns") {
					fmt.Fprintf(&b, " %s=%q", name[bytes.IndexByte(name, ':')+1:], value)
				}
			}
			b.WriteByte('>')
		case End:
			flush()
			fmt.Fprintf(&b, "</%s>", s.Name())
		case Text:
			text = append(text, s.Text()...)
		case EOF:
			return b.String(), s.Err()
		}
	}
}

// peerEvents does the same with encoding/xml.
func peerEvents(r io.Reader) (string, error) {
	var b strings.Builder
	var text []byte
	flush := func() {
		if t := bytes.TrimSpace(text); len(t) > 0 {
			fmt.Fprintf(&b, "%q", t)
		}
		text = text[:0]
	}
	d := xml.NewDecoder(r)
	for {
		token, err := d.Token()
		if err == io.EOF {
			return b.String(), nil
		} else if err != nil {
			return b.String(), err
		}
		switch t := token.(type) {
		case xml.StartElement:
			flush()
			fmt.Fprintf(&b, "<%s", t.Name.Local)
			for _, a := range t.Attr {
				if a.Name.Space != "xmlns" && !strings.HasPrefix(a.Name.Local, "xmlns") {
					value := strings.NewReplacer("\n", " ", "\t", " ").Replace(a.Value)
					fmt.Fprintf(&b, " %s=%q", a.Name.Local, value)
				}
			}
			b.WriteByte('>')
		case xml.EndElement:
			flush()
			fmt.Fprintf(&b, "</%s>", t.Name.Local)
		case xml.CharData:
			text = append(text, t...)
		}
	}
}

func TestScannerEvents(t *testing.T) {
	for _, c := range []struct{ name, doc, want string }{
		{"empty element", `<a/>`, `<a></a>`},
		{"attributes", `<a x="1" y='2"' />`, `<a x="1" y="2\""></a>`},
		{"entities", `<a x="&lt;&#65;&#x42;&apos;">&amp;&gt;&quot;b</a>`, `<a x="<AB'">"&>\"b"</a>`},
		{"cdata", `<a>x<![CDATA[<&]]]]>y</a>`, `<a>"x<&]]y"</a>`},
		{"comments", "<!-- p --><a>b<!-- - --> c<?pi x?></a><!----> ", `<a>"b c"</a>`},
		{"white space between texts counts", "<a>b<!-- --> <!-- -->c</a>", `<a>"b c"</a>`},
		{"declaration", "<?xml version='1.0' encoding=\"utf-8\" standalone='yes'?>\n<a/>", `<a></a>`},
		{"byte order mark", "\xEF\xBB\xBF<?xml version=\"1.0\"?><a/>", `<a></a>`},
		{"latin 1", "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a x=\"\xE9\">\xFC</a>", `<a x="é">"ü"</a>`},
		{"ascii", `<?xml version="1.0" encoding="US-ASCII"?><a>b</a>`, `<a>"b"</a>`},
		{"doctype", `<!DOCTYPE a SYSTEM "a>.dtd"><a/>`, `<a></a>`},
		{"prefix", `<p:a xmlns:p="u" p:x="1"><p:b/></p:a>`, `<a x="1"><b></b></a>`},
		{"names", `<é.a-1><_/></é.a-1 >`, `<é.a-1><_></_></é.a-1>`},
		{"line ends", "<a x='1\r\n2\r3'>b\r\nc\rd</a>", `<a x="1 2 3">"b\nc\nd"</a>`},
		{"brackets", `<a>]] ]>[x]</a>`, `<a>"]] ]>[x]"</a>`},
	} {
		t.Run(c.name, func(t *testing.T) {
			for how, r := range map[string]io.Reader{"at once": strings.NewReader(c.doc), "byte by byte": iotest.OneByteReader(strings.NewReader(c.doc))} {
				got, err := events(New(r, "f"))
				if err != nil || got != c.want {
					t.Errorf("%s: got %s, %v; want %s", how, got, err, c.want)
				}
			}
		})
	}
}

// numberedAttributes returns attributes a0, a1, ...
func numberedAttributes(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, " a%d='u'", i)
	}
	return b.String()
}

// TestScannerRefuses holds one document for each thing that makes a document
// ill-formed; a ^ in the document marks where the error must be found.
func TestScannerRefuses(t *testing.T) {
	for _, c := range []struct{ code, doc string }{
		{"xml-end", "^"},
		{"xml-end", "<a><b></b>\n^"},
		{"xml-end", "<a>\n ^<b c='"},
		{"xml-end", "<a>text^"},
		{"xml-end", "<a><!-- ^"},
		{"xml-end", "<a><![CDATA[x^"},
		{"xml-nesting", "<a>\n^<b></a></b>"},
		{"xml-outside-root", "<a/>\n^<b/>"},
		{"xml-outside-root", "<a/> ^x"},
		{"xml-outside-root", "^x<a/>"},
		{"xml-outside-root", "<a/>^</a>"},
		{"xml-outside-root", "^<![CDATA[x]]><a/>"},
		{"xml-tag", "<a x='1'^y='2'/>"},
		{"xml-tag", "<a x ^y='2'/>"},
		{"xml-tag", "<a x=^1/>"},
		{"xml-tag", "<a>^</a b='1'>"},
		{"xml-tag", "<a>^<!x></a>"},
		{"xml-name", "^<1a/>"},
		{"xml-name", "<a>^< b/></a>"},
		{"xml-name", "<a ^1='2'/>"},
		{"xml-name", "<a>^</></a>"},
		{"xml-attribute", "<a x='1' ^x='2'/>"},
		{"xml-attribute", "<a x=^'1<'/>"},
		{"xml-entity", "<a>b^&nbsp;</a>"},
		{"xml-entity", "<a>b ^& c</a>"},
		{"xml-entity", "<a x='^&#0;'/>"},
		{"xml-entity", "<a>^&#xD800;</a>"},
		{"xml-entity", "<a>^&#;</a>"},
		{"xml-text", "<a>b^]]>c</a>"},
		{"xml-comment", "<a><!-- b ^-- c --></a>"},
		{"xml-comment", "<a><!-- b ^---></a>"},
		{"xml-char", "<a>b^\x01</a>"},
		{"xml-char", "<a x='^\x00'/>"},
		{"xml-encoding", "<a>\xC3\xA9^\xE9</a>"},
		{"xml-encoding", "<?xml version='1.0' encoding='US-ASCII'?><a>^\xE9</a>"},
		{"xml-encoding", "^<?xml version='1.0' encoding='EBCDIC'?><a/>"},
		{"xml-encoding", "^\xFF\xFE<\x00a\x00"},
		{"xml-declaration", "^<?xml encoding='UTF-8'?><a/>"},
		{"xml-declaration", "^<?xml version='1.0' encoding='UTF-8' more='1'?><a/>"},
		{"xml-declaration", "\n^<?xml version='1.0'?><a/>"},
		{"xml-declaration", "<a>^<?xml version='1.0'?></a>"},
		{"xml-doctype", "<!DOCTYPE a ^[<!ENTITY b 'bb'><!ENTITY c '&b;&b;'>]><a>&c;</a>"},
		{"xml-doctype", "<a/>^<!DOCTYPE a>"},
		{"xml-namespace", "<^p:a/>"},
		{"xml-namespace", "<a ^p:x='1'/>"},
		{"xml-namespace", "<a><b xmlns:p='u'/><^p:c/></a>"},
		{"xml-limit", strings.Repeat("<a>", maxDepth) + "^<a>"},
		{"xml-limit", "<a" + numberedAttributes(maxAttributes) + " ^more=''/>"},
		{"xml-limit", strings.Repeat("<a"+strings.ReplaceAll(numberedAttributes(50), "a", "xmlns:a")+">", 20) + "<a ^xmlns:b='u'/>"},
		{"xml-limit", "<a>\n^<b x='" + strings.Repeat("x", 2*windowSize) + "'/></a>"},
	} {
		before, after, _ := strings.Cut(c.doc, "^")
		line := strings.Count(before, "\n") + 1
		col := len(before) - strings.LastIndexByte(before, '\n')
		for how, r := range map[string]io.Reader{"at once": strings.NewReader(before + after), "byte by byte": iotest.OneByteReader(strings.NewReader(before + after))} {
			s := New(r, "f")
			events(s)
			d, ok := s.Fault()
			if !ok || d.Code != c.code || d.Line != line || d.Col != col {
				t.Errorf("%.60q %s: got %v, want %s at %d:%d", c.doc, how, d, c.code, line, col)
			}
		}
	}
}

// TestScannerWindow puts tokens of every kind across the end of the window.
func TestScannerWindow(t *testing.T) {
	tail := `<b x="&amp;é">t&lt;ü]]<![CDATA[<é>]]><!-- c --><?p i?></b><c/></a>`
	want, err := events(New(strings.NewReader("<a>"+tail), "f"))
	if err != nil {
		t.Fatal(err)
	}
	for gap := windowSize - len(tail) - 20; gap < windowSize+20; gap++ {
		doc := "<a>" + strings.Repeat(" ", gap) + tail
		if got, err := events(New(strings.NewReader(doc), "f")); err != nil || got != want {
			t.Fatalf("gap %d: got %s, %v; want %s", gap, got, err, want)
		}
	}
}

func TestScannerLongText(t *testing.T) {
	long := strings.Repeat("é]", windowSize/2) + "x" + strings.Repeat("\n", 3*windowSize/2) + "y"
	for name, doc := range map[string]string{"text": "<a>" + long + "</a>", "cdata": "<a><![CDATA[" + long + "]]></a>", "comment": "<a>" + strings.Replace(long, "y", "<!-- -->y", 1) + "</a>"} {
		s := New(strings.NewReader(doc), "f")
		s.Next()
		if got := string(s.ElementText()); got != long || s.Err() != nil {
			t.Errorf("%s: got %d bytes, %v", name, len(got), s.Err())
		}
	}
	s := New(strings.NewReader("<a>"+strings.Repeat("x", maxText+1)+"</a>"), "f")
	s.Next()
	if s.ElementText(); s.Err() == nil {
		t.Error("a text above the limit is accepted")
	}
}

func TestScannerColumnsInLatin1(t *testing.T) {
	doc := "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a>\xE9\xE9" + strings.Repeat(" ", windowSize) + "\xE9<b/></a>"
	s := New(strings.NewReader(doc), "f")
	for s.Next() != EOF {
		if string(s.Name()) == "b" {
			if _, col := s.Pos(); col != strings.Index(doc, "<b/>")+1 {
				t.Errorf("column %d, want %d", col, strings.Index(doc, "<b/>")+1)
			}
			return
		}
	}
	t.Error("element b was not found:", s.Err())
}

// TestScannerSmallWindow reads documents made of random pieces with windows of
// two sizes: where a window ends must not show.
func TestScannerSmallWindow(t *testing.T) {
	seeds := []string{`<a x="1">b&lt;<![CDATA[c]]><!-- d --></a>`, "<?xml version='1.0'?><a>\r\n<b/></a>", `<p:a xmlns:p="u"/>`, "<a>]]></a>"}
	pieces := []string{"<", "]]>", "<![CDATA[", "<!--", "--", "&lt;", "<?", "?>", "\r", "\n", "é", "/>", "</a>", "'", "\"", "]", "<!DOCTYPE a>", " ", "\x00", "\xff"}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		doc := seeds[rng.IntN(len(seeds))]
		for range 1 + rng.IntN(6) {
			from := rng.IntN(len(doc) + 1)
			to := min(len(doc), from+rng.IntN(3))
			doc = doc[:from] + pieces[rng.IntN(len(pieces))] + doc[to:]
		}
		wide, wideErr := events(newSized(strings.NewReader(doc), "f", 4096))
		slim, slimErr := events(newSized(strings.NewReader(doc), "f", 40))
		if slimErr != nil && strings.Contains(slimErr.Error(), "xml-limit") {
			continue
		}
		if wide != slim || fmt.Sprint(wideErr) != fmt.Sprint(slimErr) {
			t.Fatalf("%q\nwide: %s, %v\nslim: %s, %v", doc, wide, wideErr, slim, slimErr)
		}
	}
}

// TestScannerWidensWindow reads documents about as long as the first window, and longer:
// where it grows must not show.
func TestScannerWidensWindow(t *testing.T) {
	for _, head := range []string{"", `<?xml version="1.0" encoding="ISO-8859-1"?>`} {
		for _, length := range []int{smallSize - 20, smallSize - 8, smallSize, smallSize + 1, 3 * smallSize, 9 * smallSize} {
			doc := head + "<a>" + strings.Repeat("<b x='\xe9'/>\n", length/12) + strings.Repeat(" ", length%12) + "</a>"
			if head == "" {
				doc = strings.ToValidUTF8(doc, "e")
			}
			widest := New(strings.NewReader(doc), "f")
			for widest.w.size < windowSize {
				widest.w.widen()
			}
			want, err := events(widest)
			if err != nil {
				t.Fatal(err)
			}
			for name, r := range map[string]io.Reader{"at once": strings.NewReader(doc), "byte by byte": iotest.OneByteReader(strings.NewReader(doc))} {
				if got, err := events(New(r, "f")); err != nil || got != want {
					t.Errorf("%d bytes, %q, %s: other events, %v", len(doc), head, name, err)
				}
			}
		}
	}
}

// TestValidXML compares with a look at one character after the other.
func TestValidXML(t *testing.T) {
	const alphabet = "abc <>\t\n\r\x00\x08\x0b\x0c\x0e\x1f \x7f\x80\xc3\xa9\xef\xbf\xbe\xbf\xed\xa0"
	rng := rand.New(rand.NewPCG(5, 6))
	for range 20_000 {
		b := bytes.Repeat([]byte("x"), rng.IntN(80))
		for range min(len(b), rng.IntN(3)) {
			b[rng.IntN(len(b))] = alphabet[rng.IntN(len(alphabet))]
		}
		if k := rng.IntN(len(b) + 1); rng.IntN(2) == 0 {
			b = slices.Insert(b, k, []byte("é€😀")...)
		}
		want := 0
		for want < len(b) {
			r, n := utf8.DecodeRune(b[want:])
			if r == utf8.RuneError && n == 1 || r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xFFFE || r == 0xFFFF {
				break
			}
			want += n
		}
		if got := validXML(b); got != want {
			t.Fatalf("%q: %d bytes are valid, got %d", b, want, got)
		}
	}
}

// FuzzScanner compares with encoding/xml, which accepts more.
func FuzzScanner(f *testing.F) {
	for _, doc := range []string{`<a x="1">b&lt;<![CDATA[c]]><!-- d --></a>`, "<?xml version='1.0'?><a>\r\n<b/></a>", `<p:a xmlns:p="u"/>`, "<a>]]></a>"} {
		f.Add([]byte(doc))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		got, err := events(New(bytes.NewReader(doc), "f"))
		slow, slowErr := events(newSized(iotest.OneByteReader(bytes.NewReader(doc)), "f", 128))
		if slowErr != nil && strings.Contains(slowErr.Error(), "xml-limit") {
			return
		}
		if got != slow || (err == nil) != (slowErr == nil) || err != nil && err.Error() != slowErr.Error() {
			t.Fatalf("at once: %s, %v\nbyte by byte: %s, %v", got, err, slow, slowErr)
		}
		if err != nil || bytes.Contains(doc, []byte("encoding")) || bytes.Contains(doc, []byte("<!")) || bytes.Contains(doc, []byte("<?")) {
			return
		}
		if want, err := peerEvents(bytes.NewReader(doc)); err == nil && got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	})
}
