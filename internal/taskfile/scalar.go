package taskfile

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"

	"github.com/glovebox-dev/glovebox/internal/quantity"
	"github.com/glovebox-dev/glovebox/internal/yamlfile"
	"github.com/glovebox-dev/glovebox/value"
)

func (r *reader) boolean(n node) bool {
	b, ok := n.(*ast.BoolNode)
	if !ok {
		r.Fail(n, "expected true or false, got %s", yamlfile.Describe(n))
		return false
	}
	return b.Value
}

// count reads a whole number that is not negative.
func (r *reader) count(n node) int {
	v, err := strconv.ParseInt(n.GetToken().Value, 10, 32)
	if _, ok := n.(*ast.IntegerNode); !ok || err != nil || v < 0 {
		r.Fail(n, "expected a whole number from 0 to %d, got %s", 1<<31-1, yamlfile.Describe(n))
		return 0
	}
	return int(v)
}

// limit reads a count above 0, which would mean that the default holds.
func (r *reader) limit(n node) int {
	v := r.count(n)
	if r.Err == nil && v == 0 {
		r.Fail(n, "expected a whole number above 0, got 0").WithHint("leave it out for the default")
	}
	return v
}

// number reads a number above 0.
func (r *reader) number(n node) float64 {
	v, err := strconv.ParseFloat(r.Word(n), 64)
	if r.Err == nil && (err != nil || !(v > 0) || v > 1e6) {
		r.Fail(n, "expected a number above 0, got %s", yamlfile.Describe(n))
	}
	return v
}

func (r *reader) size(n node) int64 {
	v, err := quantity.ParseSize(r.Word(n))
	if r.Err == nil && err != nil {
		r.Fail(n, "%s", err)
	}
	return v
}

func (r *reader) duration(n node) time.Duration {
	v, err := quantity.ParseDuration(r.Word(n))
	if r.Err == nil && err != nil {
		r.Fail(n, "%s", err)
	}
	return v
}

// oneOf reads one of a few words.
func (r *reader) oneOf(n node, choices ...string) string {
	v := r.Str(n)
	if r.Err == nil && !slices.Contains(choices, v) {
		r.Fail(n, "expected %s, got %s", strings.Join(choices, " or "), value.Quote(v))
	}
	return v
}

// plain reports whether a string is written without quotes and on its line.
func plain(n node) bool {
	s, ok := n.(*ast.StringNode)
	return ok && s.Token.Type == token.StringType
}
