package yamlfile

import (
	"maps"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/glovebox-dev/glovebox/value"
)

// Fields say what to do with the value of each key of a mapping.
type Fields map[string]func(Node)

// Object reads a mapping with known keys.
func (r *Reader) Object(n Node, what string, known Fields) {
	r.ObjectOf(r.Pairs(n, what), what, known)
}

// ObjectOf reads the pairs of one.
func (r *Reader) ObjectOf(pairs []Pair, what string, known Fields) {
	for _, pair := range pairs {
		read, ok := known[pair.Key]
		if !ok {
			r.unknownKey(pair.At, what, pair.Key, slices.Sorted(maps.Keys(known)))
			return
		}
		if _, null := pair.Value.(*ast.NullNode); null && pair.Key != "default" {
			r.Fail(pair.At, "%s has no value", pair.Key).WithHint("give it one, or leave it out")
			return
		}
		if read(pair.Value); r.Err != nil {
			return
		}
	}
}

func (r *Reader) unknownKey(at Node, what, key string, known []string) {
	e := r.Fail(at, "%s has no %s", what, value.Quote(key))
	if near := value.Nearest(key, known); near != "" {
		e.Details.Suggestion = near
		_ = e.WithHint("did you mean %s?", near)
		return
	}
	_ = e.WithHint("it may have: %s", strings.Join(known, ", "))
}

// Pair is a key of a mapping with its value.
type Pair struct {
	Key   string
	At    Node // the key itself
	Value Node
}

// Pairs reads a mapping, in its order. Keys count as they are written, so that
// true and 1 are names too.
func (r *Reader) Pairs(n Node, what string) []Pair {
	var values []*ast.MappingValueNode
	switch m := n.(type) {
	case *ast.MappingNode:
		values = m.Values
	case *ast.MappingValueNode:
		values = []*ast.MappingValueNode{m}
	default:
		r.Fail(n, "%s is written as a mapping, such as {key: value}", what)
		return nil
	}
	seen := make(map[string]bool, len(values))
	list := make([]Pair, 0, len(values))
	for _, v := range values {
		key := v.Key.GetToken().Value
		if _, scalar := v.Key.(ast.ScalarNode); !scalar || v.Value == nil || v.Value.GetToken() == nil {
			r.Fail(n, "%s has a key that is no word, or has no value", what)
			return nil
		}
		if seen[key] {
			r.Fail(v.Key, "%s is there twice", value.Quote(key))
			return nil
		}
		seen[key] = true
		list = append(list, Pair{key, v.Key, v.Value})
	}
	return list
}

// Items reads a list.
func (r *Reader) Items(n Node, what string) []Node {
	s, ok := n.(*ast.SequenceNode)
	if !ok {
		r.Fail(n, "%s is written as a list, such as [a, b]", what)
		return nil
	}
	for i, item := range s.Values {
		if item == nil || item.GetToken() == nil {
			r.Fail(n, "item %d of %s is empty", i+1, what)
			return nil
		}
	}
	return s.Values
}

// Str reads a string that is written as one.
func (r *Reader) Str(n Node) string {
	switch s := n.(type) {
	case *ast.StringNode:
		return s.Value
	case *ast.LiteralNode:
		return s.Value.Value
	}
	hint := "put quotes around it"
	switch n.(type) {
	case *ast.MappingNode, *ast.MappingValueNode, *ast.SequenceNode:
		hint = "write a string in its place"
	}
	r.Fail(n, "expected a string, got %s", Describe(n)).WithHint("%s", hint)
	return ""
}

// Word reads any scalar as it is written: 3.10 stays 3.10.
func (r *Reader) Word(n Node) string {
	switch n.(type) {
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return n.GetToken().Value
	}
	return r.Str(n)
}

// Words reads a list of them.
func (r *Reader) Words(n Node, what string) []string {
	var list []string
	for _, item := range r.Items(n, what) {
		list = append(list, r.Word(item))
	}
	return list
}

// Describe names a node in messages.
func Describe(n Node) string {
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

// Strings reads a mapping of words.
func (r *Reader) Strings(n Node, what string) map[string]string {
	out := map[string]string{}
	for _, p := range r.Pairs(n, what) {
		out[p.Key] = r.Word(p.Value)
	}
	return out
}
