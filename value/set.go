package value

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// Set is a Python set or frozenset. Its order means nothing, nor does an item
// that comes twice: JSON has the items in the order of their texts, each once.
type Set []any

// maxSetDepth bounds sets within sets, each of which is sorted.
const maxSetDepth = 16

func fitSet(t Type, s Set, how fitting) (any, error) {
	items, err := fitItems(s, t.elem(), how)
	return Set(items), err
}

func naturalSet(s Set, depth int) (any, error) {
	items, err := naturalList(s, depth)
	if err != nil {
		return nil, err
	}
	return Set(items), checkItems(items)
}

// appendSet writes the items in the order of their JSON, so that equal sets
// have equal texts.
func appendSet(b []byte, elem Type, s Set) []byte {
	b = append(b, '[')
	start := len(b)
	ends := make([]int, len(s))
	for i, item := range s {
		b = appendTyped(b, elem, item)
		ends[i] = len(b)
	}
	sorted := inOrder(b[start:], ends, start)
	b = b[:start]
	for i, text := range sorted {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, text...)
	}
	return append(b, ']')
}

// inOrder cuts written into the texts that end there, and returns copies of
// them in order, each once.
func inOrder(written []byte, ends []int, start int) [][]byte {
	written = bytes.Clone(written)
	texts := make([][]byte, len(ends))
	at := 0
	for i, end := range ends {
		texts[i] = written[at : end-start]
		at = end - start
	}
	slices.SortFunc(texts, bytes.Compare)
	return slices.CompactFunc(texts, bytes.Equal)
}

func checkItems(items []any) error {
	for _, item := range items {
		if !hashable(item) {
			return &Error{Expected: "items of a set that have a hash", Got: describe(item)}
		}
		if setDepth(item, maxSetDepth) >= maxSetDepth {
			return &Error{Expected: fmt.Sprintf("at most %d sets within each other", maxSetDepth), Got: "more"}
		}
	}
	return nil
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

// setDepth returns how many sets are within each other in v, up to a limit.
func setDepth(v any, limit int) int {
	deepest := 0
	switch v := v.(type) {
	case Tuple:
		for _, item := range v {
			deepest = max(deepest, setDepth(item, limit))
		}
	case Set:
		if limit == 0 {
			return 1
		}
		for _, item := range v {
			deepest = max(deepest, setDepth(item, limit-1))
		}
		deepest++
	}
	return deepest
}
