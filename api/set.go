package api

import (
	"slices"
	"strings"
)

// Set is a Python set or frozenset. Its order means nothing: Normalize under a
// declared set, and JSON, have the items in the order of their JSON, each once.
type Set []any

// fitSet checks the items and orders them.
func fitSet(t Type, s Set, how fitting) (any, error) {
	items, err := fitItems(s, t.elem(), how)
	if err != nil {
		return nil, err
	}
	return orderedSet(t.elem(), items)
}

// orderedSet makes a set of items that fit elem.
func orderedSet(elem Type, items []any) (any, error) {
	if err := checkHashes(items); err != nil {
		return nil, err
	}
	ordered, _ := inOrder(elem, items)
	return Set(ordered), nil
}

func checkHashes(items []any) error {
	for _, item := range items {
		if !hashable(item) {
			return &ValueError{Expected: "items of a set that have a hash", Got: describe(item)}
		}
	}
	return nil
}

// inOrder sorts items by their JSON, and returns that, too. Of those that are
// alike, one is left.
func inOrder(elem Type, items []any) (ordered []any, texts []string) {
	type member struct {
		item any
		text string
	}
	members := make([]member, len(items))
	for i, item := range items {
		members[i] = member{item, string(appendTyped(nil, elem, item))}
	}
	slices.SortStableFunc(members, func(a, b member) int { return strings.Compare(a.text, b.text) })
	members = slices.CompactFunc(members, func(a, b member) bool { return a.text == b.text })
	ordered, texts = make([]any, len(members)), make([]string, len(members))
	for i, m := range members {
		ordered[i], texts[i] = m.item, m.text
	}
	return ordered, texts
}

// appendSet writes the items in the order of their JSON, so that equal sets
// have equal texts.
func appendSet(b []byte, elem Type, s Set) []byte {
	_, texts := inOrder(elem, s)
	b = append(b, '[')
	b = append(b, strings.Join(texts, ",")...)
	return append(b, ']')
}

// hashable reports whether v can be in a set. Files cannot, so that who looks
// for them need not look there.
func hashable(v any) bool {
	switch v := v.(type) {
	case []any, *Dict, File, Dir, DataFrame:
		return false
	case Decimal:
		return !strings.HasPrefix(strings.TrimPrefix(string(v), "-"), "sNaN")
	case Tuple:
		return !slices.ContainsFunc(v, func(item any) bool { return !hashable(item) })
	}
	return true
}

func naturalSet(s Set, depth int) (any, error) {
	items, err := naturalList(s, depth)
	if err != nil {
		return nil, err
	}
	return Set(items), checkHashes(items)
}
