// Package toolsearch finds tools by words of their names and descriptions, for
// models that are not shown all of them.
package toolsearch

import (
	"cmp"
	"slices"
	"strings"
)

// The names by which models search and describe tools.
const (
	Search   = "tool_search"
	Describe = "tool_describe"
)

// The bounds of a query, which comes from a model.
const (
	maxQuery = 1 << 10 // bytes
	maxWords = 16
)

// maxDoc is how many bytes of a description are searched.
const maxDoc = 2 << 10

// Index is a list of tools. It is not changed after Of, so it is safe for
// concurrent use.
type Index struct{ entries []entry }

type entry struct {
	name, lower, doc string
	words            []string // of the name
}

// Of makes an index of n tools, whose names and descriptions at gives. Names are
// all different.
func Of(n int, at func(i int) (name, doc string)) Index {
	x := Index{make([]entry, n)}
	for i := range n {
		name, doc := at(i)
		lower := strings.ToLower(name)
		x.entries[i] = entry{name, lower, strings.ToLower(doc[:min(len(doc), maxDoc)]), strings.FieldsFunc(lower, func(r rune) bool { return strings.ContainsRune("_.-", r) })}
	}
	return x
}

// Find returns the places of the tools with any word of the query, those with most
// first, and then by name. A query without words finds all. No more than 16 words
// in the first KiB of a query count.
func (x Index) Find(query string) []int {
	words := wordsOf(query)
	hits := make([]int, len(x.entries))
	var found []int
	for i := range x.entries {
		hits[i] = x.entries[i].hits(words)
		if hits[i] > 0 || len(words) == 0 {
			found = append(found, i)
		}
	}
	slices.SortFunc(found, func(a, b int) int {
		return cmp.Or(cmp.Compare(hits[b], hits[a]), strings.Compare(x.entries[a].name, x.entries[b].name))
	})
	return found
}

func wordsOf(query string) []string {
	words := strings.Fields(strings.ToLower(query[:min(len(query), maxQuery)]))
	return words[:min(len(words), maxWords)]
}

func (e *entry) hits(words []string) (n int) {
	for _, word := range words {
		switch {
		case slices.Contains(e.words, word):
			n += 3 // item_10 before item_103
		case strings.Contains(e.lower, word):
			n += 2 // a name says more than a word of a sentence
		case strings.Contains(e.doc, word):
			n++
		}
	}
	return n
}
