package secret

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func values(texts ...string) [][]byte {
	var all [][]byte
	for _, text := range texts {
		all = append(all, []byte(text))
	}
	return all
}

func TestRedactor(t *testing.T) {
	tests := []struct {
		name    string
		secrets [][]byte
		in      string
		want    string
	}{
		{"none", nil, "hunter22", "hunter22"},
		{"plain", values("hunter22"), "pw=hunter22;", "pw=[redacted];"},
		{"twice", values("hunter22"), "hunter22hunter22", "[redacted][redacted]"},
		{"overlapping itself", values("abcabc"), "xabcabcabcx", "x[redacted]x"},
		{"overlapping another", values("abcdef", "defghi"), "abcdefghi", "[redacted]"},
		{"inside another", values("abcdefgh", "cdef"), "abcdefgh cdef", "[redacted] [redacted]"},
		{"the shorter one where the longer fails", values("abcdefgh", "cdef"), "abcdefg", "ab[redacted]g"},
		{"nearly", values("hunter22"), "hunter2 hunter2", "hunter2 hunter2"},
		{"four bytes", values("abcd"), "abcd", "[redacted]"},
		{"three bytes are too short", values("abc"), "abc", "abc"},
		{"empty", values(""), "abc", "abc"},
		{"without its newline", values("hunter22\n"), "hunter22", "[redacted]"},
		{"line of several", values("-----BEGIN KEY-----\nMIIEvQIBADANBg\n-----END KEY-----\n"), "> MIIEvQIBADANBg <", "> [redacted] <"},
		{"hex", values("hunter22"), "68756e7465723232 68756E7465723232", "[redacted] [redacted]"},
		{"query", values("p&ss w/rd"), "?q=p%26ss+w%2Frd", "?q=[redacted]"},
		{"path", values("p&ss w/rd"), "/p&ss%20w%2frd", "/[redacted]"},
		{"json", values("say \"hi\"\n<b>"), `{"x":"say \"hi\"\n\u003cb\u003e"}`, `{"x":"[redacted]"}`},
		{"json, python", values("schlüssel😀"), `"schl\u00fcssel\ud83d\ude00"`, `"[redacted]"`},
		{"repr", values("say \"hi\"\nthere"), `'say "hi"\nthere'`, `'[redacted]'`},
		{"binary", values("\x00\xff\xfe\x01\x80"), "<\x00\xff\xfe\x01\x80>", "<[redacted]>"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := NewRedactor(test.secrets...)
			if got := r.String(test.in); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestBase64AtEveryAlignment(t *testing.T) {
	secret := "hunter22-\xfb\xff\xbf-more"
	r := NewRedactor([]byte(secret))
	for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding, base64.RawStdEncoding} {
		for _, before := range []string{"", "u", "us", "use"} {
			got := r.String(encoding.EncodeToString([]byte(before + secret + "tail")))
			if !strings.Contains(got, Marker) {
				t.Errorf("after %q: %s", before, got)
			}
			if left := len(got) - len(Marker); left > 14 {
				t.Errorf("after %q %d characters are left: %s", before, left, got)
			}
		}
	}
}

// Every usual encoding of a secret is found, whatever stands around it.
func TestEncodings(t *testing.T) {
	secret := []byte(`Sup3r-S3cr3t/Token+Value=42! "é" 'ü' more than 57 bytes, for base64 in lines`)
	if len(secret)%3 != 0 {
		t.Fatalf("%d bytes: base64 of it ends with padding", len(secret))
	}
	r := NewRedactor(secret)
	for _, form := range encodings {
		text := form.encode(secret)
		if got := r.String("<" + text + ">"); got != "<"+Marker+">" {
			t.Errorf("%s: got %q of %q", form.name, got, text)
		}
	}
}

// TestMemoryIsLinear: the automaton takes about as much memory as the secrets,
// not as all of their encodings.
func TestMemoryIsLinear(t *testing.T) {
	value := bytes.Repeat([]byte("0123456789abcdef"), MaxValue/16)
	lines := bytes.Repeat([]byte("0123456789abcdef\n"), MaxValue/17)
	for name, value := range map[string][]byte{"one line": value, "lines": lines, "with a newline": append(value[:len(value)-1:len(value)-1], '\n')} {
		if r := NewRedactor(value); cap(r.nodes) > 2*len(value)+1 {
			t.Errorf("%s: %d nodes for %d bytes", name, cap(r.nodes), len(value))
		}
	}
}

// Text that is nearly a long secret, again and again, is not kept.
func TestNearMatchesAreBounded(t *testing.T) {
	secret := append(bytes.Repeat([]byte("a"), 10_000), 'b')
	w := NewRedactor(secret).Writer(&bytes.Buffer{})
	for range 1000 {
		w.Write(bytes.Repeat([]byte("a"), 1000))
		if len(w.held) > 3*len(secret) || len(w.found) > 0 {
			t.Fatalf("held %d bytes and %d spans", len(w.held), len(w.found))
		}
	}
}

func TestNoSplitLeaks(t *testing.T) {
	letters := rapid.SliceOfN(rapid.SampledFrom([]byte("aAb\"% é😀\xff")), 4, 24)
	rapid.Check(t, func(t *rapid.T) {
		secrets := rapid.SliceOfN(letters, 0, 4).Draw(t, "secrets")
		noise := rapid.SliceOfN(rapid.SampledFrom([]byte("aB\"6 1%\\u:\n")), 0, 10)
		var text []byte
		for range rapid.IntRange(0, 6).Draw(t, "parts") {
			text = append(text, noise.Draw(t, "noise")...)
			if len(secrets) > 0 {
				value := rapid.SampledFrom(secrets).Draw(t, "secret")
				text = append(text, rapid.SampledFrom(encodings).Draw(t, "form").encode(value)...)
			}
		}
		r := NewRedactor(secrets...)
		var out bytes.Buffer
		w := r.Writer(&out)
		for rest := text; len(rest) > 0; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "chunk")
			if _, err := w.Write(rest[:n]); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if want := naive(secrets, text); out.String() != want {
			t.Fatalf("text %q\n got %q\nwant %q", text, out.String(), want)
		}
	})
}

func TestWriterHoldsBackLittle(t *testing.T) {
	r := NewRedactor([]byte("hunter22"))
	var out bytes.Buffer
	w := r.Writer(&out)
	steps := []struct{ write, seen string }{
		{"password? ", "password? "}, // a prompt must not wait
		{"hun", "password? "},
		{"ter", "password? "},
		{"22", "password? " + Marker},
		{"hunx", "password? " + Marker + "hunx"},
		{"hunter2", "password? " + Marker + "hunx"},
	}
	for _, step := range steps {
		w.Write([]byte(step.write))
		if out.String() != step.seen {
			t.Errorf("after %q: got %q, want %q", step.write, out.String(), step.seen)
		}
	}
	w.Close()
	if want := "password? " + Marker + "hunxhunter2"; out.String() != want {
		t.Errorf("after Close: %q", out.String())
	}
}

// A secret that overlaps itself for ever is one marker and takes no memory.
func TestEndlessOverlapIsBounded(t *testing.T) {
	r := NewRedactor([]byte("aaaaaaaa"))
	var out bytes.Buffer
	w := r.Writer(&out)
	for range 1000 {
		w.Write(bytes.Repeat([]byte("a"), 100))
		if len(w.held) > 8 || len(w.found) > 1 {
			t.Fatalf("held %d bytes and %d spans", len(w.held), len(w.found))
		}
	}
	w.Write([]byte("b"))
	w.Close()
	if out.String() != Marker+"b" {
		t.Errorf("got %q", out.String())
	}
}

type brokenWriter struct{}

var errBroken = errors.New("broken")

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

func TestWriterReportsErrors(t *testing.T) {
	w := NewRedactor().Writer(brokenWriter{})
	for range 2 {
		if _, err := w.Write([]byte("x")); !errors.Is(err, errBroken) {
			t.Errorf("Write: %v", err)
		}
	}
	if err := w.Close(); !errors.Is(err, errBroken) {
		t.Errorf("Close: %v", err)
	}
}

// BenchmarkRedactor has text that is nearly a long secret, in every way to read it.
func BenchmarkRedactor(b *testing.B) {
	secret := append(bytes.Repeat([]byte("a"), MaxValue-1), 'b')
	r := NewRedactor(secret)
	for _, text := range []struct{ name, text string }{
		{"plain", "The quick brown fox jumps over the lazy dog. 0123456789\n"},
		{"nearly", strings.Repeat("a", MaxValue-2) + "c"},
		{"nearly in hexadecimal", strings.Repeat("61", MaxValue-2) + "63"},
		{"nearly in base64", strings.Repeat("YWFh", MaxValue/3) + "YWFj"},
		{"nearly escaped", strings.Repeat(`\u0061`, MaxValue-2) + "c"},
	} {
		b.Run(text.name, func(b *testing.B) {
			chunk := []byte(strings.Repeat(text.text, 1+(1<<20)/len(text.text)))
			b.SetBytes(int64(len(chunk)))
			w := r.Writer(io.Discard)
			for b.Loop() {
				w.Write(chunk)
			}
		})
	}
}

func FuzzRedactor(f *testing.F) {
	f.Add([]byte("hunter22"), []byte("x hunter22 y"))
	f.Add([]byte("\xff\x00%2\n\"'\\"), []byte("\\"))
	f.Fuzz(func(t *testing.T, secret, text []byte) {
		if len(secret) < minEncoded || len(secret) > 200 || strings.Contains(Marker, string(secret)) {
			return
		}
		r := NewRedactor(secret)
		for _, form := range encodings {
			in := append(append([]byte(nil), text...), form.encode(secret)...)
			if got, want := r.String(string(in)), naive([][]byte{secret}, in); got != want {
				t.Errorf("%s: %q: got %q, want %q", form.name, in, got, want)
			}
		}
	})
}
