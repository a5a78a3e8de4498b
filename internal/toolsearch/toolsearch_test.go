package toolsearch

import (
	"slices"
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	tools := [][2]string{{"zebra", "Paints stripes."}, {"stripe", "Counts lines."}, {"apple", "Paints STRIPES on zebra crossings."}, {"late", strings.Repeat("x", maxDoc) + " hidden"}}
	x := Of(len(tools), func(i int) (string, string) { return tools[i][0], tools[i][1] })
	for query, want := range map[string][]int{
		"":                                  {2, 3, 1, 0},
		"  ":                                {2, 3, 1, 0},
		"Stripe":                            {1, 2, 0},
		"zebra stripes":                     {0, 2},
		"nothing":                           nil,
		"hidden":                            nil,
		"nothing LINES":                     {1},
		words(maxWords, "no"):               nil,
		words(maxWords, "no") + " zebra":    nil,
		words(maxWords-1, "no") + " zebra":  {0, 2},
		strings.Repeat(" ", maxQuery) + "a": {2, 3, 1, 0},
	} {
		if got := x.Find(query); !slices.Equal(got, want) {
			t.Errorf("%.40q found %v, want %v", query, got, want)
		}
	}
}

// TestWholeWords: what a name says as a word comes before what has it in another.
func TestWholeWords(t *testing.T) {
	names := []string{"get_item_103", "get_item_10", "list_items", "shop.item-10"}
	x := Of(len(names), func(i int) (string, string) { return names[i], "" })
	if got, want := x.Find("item 10"), []int{1, 3, 0, 2}; !slices.Equal(got, want) {
		t.Errorf("found %v, want %v", got, want)
	}
}

func words(n int, word string) string { return strings.TrimSpace(strings.Repeat(word+"9 ", n)) }
