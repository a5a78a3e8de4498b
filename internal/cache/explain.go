package cache

import "github.com/glovebox-dev/glovebox/api"

// Differs returns the parts in which a key differs from an earlier one: Value
// is the key's and Was the earlier one's, empty where there is none.
func Differs(now, was []api.CachePart) []api.CachePart {
	left := map[string][]string{} // by name; secrets have one name
	for _, part := range was {
		left[part.Name] = append(left[part.Name], part.Value)
	}
	var differs []api.CachePart
	for _, part := range now {
		before := left[part.Name]
		if len(before) == 0 {
			differs = append(differs, api.CachePart{Name: part.Name, Value: part.Value})
			continue
		}
		left[part.Name] = before[1:]
		if before[0] != part.Value {
			differs = append(differs, api.CachePart{Name: part.Name, Value: part.Value, Was: before[0]})
		}
	}
	return append(differs, gone(was, left)...)
}

// gone are the parts of an earlier key that have no counterpart: the last of
// each name.
func gone(was []api.CachePart, left map[string][]string) []api.CachePart {
	var differs []api.CachePart
	for _, part := range was {
		if rest := left[part.Name]; len(rest) > 0 {
			differs = append(differs, api.CachePart{Name: part.Name, Was: rest[0]})
			left[part.Name] = rest[1:]
		}
	}
	return differs
}

// Nearest returns the entry whose key differs least, the first of equals, and
// in what; nil if there are no entries.
func Nearest(now []api.CachePart, entries []Entry) (*Entry, []api.CachePart) {
	var nearest *Entry
	var fewest []api.CachePart
	for i := range entries {
		differs := Differs(now, entries[i].Parts)
		if nearest == nil || len(differs) < len(fewest) {
			nearest, fewest = &entries[i], differs
		}
	}
	return nearest, fewest
}
