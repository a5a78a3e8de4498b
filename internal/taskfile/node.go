package taskfile

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"

	"github.com/glovebox-dev/glovebox/internal/quantity"
	"github.com/glovebox-dev/glovebox/value"
)

// fields say what to do with the value of each key of a mapping.
type fields map[string]func(node)

// object reads a mapping with known keys.
func (r *reader) object(n node, what string, known fields) {
	r.objectOf(r.pairs(n, what), what, known)
}

func (r *reader) objectOf(pairs []pair, what string, known fields) {
	for _, pair := range pairs {
		read, ok := known[pair.key]
		if !ok {
			r.unknownKey(pair.at, what, pair.key, slices.Sorted(maps.Keys(known)))
			return
		}
		if _, null := pair.value.(*ast.NullNode); null && pair.key != "default" {
			r.fail(pair.at, "%s has no value", pair.key).WithHint("give it one, or leave it out")
			return
		}
		if read(pair.value); r.err != nil {
			return
		}
	}
}

func (r *reader) unknownKey(at node, what, key string, known []string) {
	e := r.fail(at, "%s has no %s", what, value.Quote(key))
	if near := value.Nearest(key, known); near != "" {
		e.Details.Suggestion = near
		_ = e.WithHint("did you mean %s?", near)
		return
	}
	_ = e.WithHint("it may have: %s", strings.Join(known, ", "))
}

// pair is a key of a mapping with its value.
type pair struct {
	key   string
	at    node // the key itself
	value node
}

// pairs reads a mapping, in its order. Keys count as they are written, so that
// true and 1 are names too.
func (r *reader) pairs(n node, what string) []pair {
	var values []*ast.MappingValueNode
	switch m := n.(type) {
	case *ast.MappingNode:
		values = m.Values
	case *ast.MappingValueNode:
		values = []*ast.MappingValueNode{m}
	default:
		r.fail(n, "%s is written as a mapping, such as {key: value}", what)
		return nil
	}
	seen := make(map[string]bool, len(values))
	list := make([]pair, 0, len(values))
	for _, v := range values {
		key := v.Key.GetToken().Value
		if _, scalar := v.Key.(ast.ScalarNode); !scalar || v.Value == nil || v.Value.GetToken() == nil {
			r.fail(n, "%s has a key that is no word, or has no value", what)
			return nil
		}
		if seen[key] {
			r.fail(v.Key, "%s is there twice", value.Quote(key))
			return nil
		}
		seen[key] = true
		list = append(list, pair{key, v.Key, v.Value})
	}
	return list
}

// items reads a list.
func (r *reader) items(n node, what string) []node {
	s, ok := n.(*ast.SequenceNode)
	if !ok {
		r.fail(n, "%s is written as a list, such as [a, b]", what)
		return nil
	}
	for i, item := range s.Values {
		if item == nil || item.GetToken() == nil {
			r.fail(n, "item %d of %s is empty", i+1, what)
			return nil
		}
	}
	return s.Values
}

// str reads a string that is written as one.
func (r *reader) str(n node) string {
	switch s := n.(type) {
	case *ast.StringNode:
		return s.Value
	case *ast.LiteralNode:
		return s.Value.Value
	}
	r.fail(n, "expected a string, got %s", describe(n)).WithHint("put quotes around it")
	return ""
}

// word reads any scalar as it is written: 3.10 stays 3.10.
func (r *reader) word(n node) string {
	switch n.(type) {
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return n.GetToken().Value
	}
	return r.str(n)
}

func (r *reader) words(n node, what string) []string {
	var list []string
	for _, item := range r.items(n, what) {
		list = append(list, r.word(item))
	}
	return list
}

func (r *reader) boolean(n node) bool {
	b, ok := n.(*ast.BoolNode)
	if !ok {
		r.fail(n, "expected true or false, got %s", describe(n))
		return false
	}
	return b.Value
}

// count reads a whole number that is not negative.
func (r *reader) count(n node) int {
	v, err := strconv.ParseInt(n.GetToken().Value, 10, 32)
	if _, ok := n.(*ast.IntegerNode); !ok || err != nil || v < 0 {
		r.fail(n, "expected a whole number from 0 to %d, got %s", 1<<31-1, describe(n))
		return 0
	}
	return int(v)
}

// limit reads a count above 0, which would mean that the default holds.
func (r *reader) limit(n node) int {
	v := r.count(n)
	if r.err == nil && v == 0 {
		r.fail(n, "expected a whole number above 0, got 0").WithHint("leave it out for the default")
	}
	return v
}

// number reads a number above 0.
func (r *reader) number(n node) float64 {
	v, err := strconv.ParseFloat(r.word(n), 64)
	if r.err == nil && (err != nil || !(v > 0) || v > 1e6) {
		r.fail(n, "expected a number above 0, got %s", describe(n))
	}
	return v
}

func (r *reader) size(n node) int64 {
	v, err := quantity.ParseSize(r.word(n))
	if r.err == nil && err != nil {
		r.fail(n, "%s", err)
	}
	return v
}

func (r *reader) duration(n node) time.Duration {
	v, err := quantity.ParseDuration(r.word(n))
	if r.err == nil && err != nil {
		r.fail(n, "%s", err)
	}
	return v
}

// oneOf reads one of a few words.
func (r *reader) oneOf(n node, choices ...string) string {
	v := r.str(n)
	if r.err == nil && !slices.Contains(choices, v) {
		r.fail(n, "expected %s, got %s", strings.Join(choices, " or "), value.Quote(v))
	}
	return v
}

// describe names a node in messages.
func describe(n node) string {
	switch n.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		return "a mapping"
	case *ast.SequenceNode:
		return "a list"
	case *ast.NullNode:
		return "nothing"
	}
	return value.Quote(n.GetToken().Value)
}

// plain reports whether a string is written without quotes and on its line.
func plain(n node) bool {
	s, ok := n.(*ast.StringNode)
	return ok && s.Token.Type == token.StringType
}
