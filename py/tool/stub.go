package tool

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/glovebox-dev/glovebox/value"
)

// Signature returns the tool as the head of a Python function:
// "async def fetch(url: str, *, limit: int = 10) -> str".
func (t Tool) Signature() string {
	var b strings.Builder
	if t.Async {
		b.WriteString("async ")
	}
	fmt.Fprintf(&b, "def %s(", t.Name)
	star := false
	for i, p := range t.Params {
		if i > 0 {
			b.WriteString(", ")
		}
		if p.KeywordOnly && !star {
			star = true
			b.WriteString("*, ")
		}
		b.WriteString(p.String())
	}
	fmt.Fprintf(&b, ") -> %s", t.Result)
	return b.String()
}

// Stub returns the tool as a Python function without a body, with its
// description as the docstring.
func (t Tool) Stub() string {
	doc := strings.TrimSpace(t.Doc)
	if doc == "" {
		return t.Signature() + ": ..."
	}
	doc = strings.ReplaceAll(doc, `\`, `\\`)
	doc = strings.ReplaceAll(doc, `"""`, `\"\"\"`)
	if strings.HasSuffix(doc, `"`) {
		doc = doc[:len(doc)-1] + `\"`
	}
	return t.Signature() + ":\n    \"\"\"" + indent(doc) + "\"\"\""
}

func indent(doc string) string {
	lines := strings.Split(doc, "\n")
	for i, line := range lines[1:] {
		if line = strings.TrimRight(line, " \t\r"); line != "" {
			line = "    " + line
		}
		lines[i+1] = line
	}
	return strings.Join(lines, "\n")
}

// String returns the parameter as a def declares it.
func (p Param) String() string {
	text := p.Name + ": " + p.Type.String()
	if p.HasDefault {
		text += " = " + literal(p.Default)
	}
	return text
}

// literal writes a value as Python source. Values that have no literal are
// written as "...", as stubs do.
func literal(v any) string {
	switch v := v.(type) {
	case nil:
		return "None"
	case bool:
		if v {
			return "True"
		}
		return "False"
	case int64:
		return strconv.FormatInt(v, 10)
	case *big.Int:
		return v.String()
	case float64:
		return floatLiteral(v)
	case string:
		return strconv.Quote(v)
	case []byte:
		return bytesLiteral(v)
	case []any:
		return "[" + literals(v) + "]"
	case value.Tuple:
		if len(v) == 1 {
			return "(" + literal(v[0]) + ",)"
		}
		return "(" + literals(v) + ")"
	case value.Set:
		if len(v) == 0 {
			return "set()"
		}
		return "{" + literals(v) + "}"
	case *value.Dict:
		return dictLiteral(v)
	}
	return friendlyLiteral(v)
}

// friendlyLiteral writes the other Go values that a host may give as a default.
func friendlyLiteral(v any) string {
	if n, err := value.Normalize(value.Type{Kind: value.KindAny}, v); err == nil {
		switch n.(type) {
		case nil, bool, int64, *big.Int, float64, string, []any, *value.Dict:
			return literal(n)
		}
	}
	return "..."
}

func floatLiteral(f float64) string {
	switch {
	case math.IsNaN(f):
		return `float("nan")`
	case math.IsInf(f, 0):
		return fmt.Sprintf(`float("%s")`, strings.ToLower(strings.TrimPrefix(strconv.FormatFloat(f, 'g', -1, 64), "+")))
	}
	text := strconv.FormatFloat(f, 'g', -1, 64)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text
}

func bytesLiteral(data []byte) string {
	out := []byte(`b"`)
	for _, c := range data {
		switch {
		case c == '"' || c == '\\':
			out = append(out, '\\', c)
		case c < ' ' || c > '~':
			out = fmt.Appendf(out, `\x%02x`, c)
		default:
			out = append(out, c)
		}
	}
	return string(append(out, '"'))
}

func literals(items []any) string {
	texts := make([]string, len(items))
	for i, v := range items {
		texts[i] = literal(v)
	}
	return strings.Join(texts, ", ")
}

func dictLiteral(d *value.Dict) string {
	texts := make([]string, 0, d.Len())
	for k, v := range d.All() {
		texts = append(texts, literal(d.Key(k))+": "+literal(v))
	}
	return "{" + strings.Join(texts, ", ") + "}"
}
