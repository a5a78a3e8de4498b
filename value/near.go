package value

import "strings"

// maxNear bounds how many slips a name may have and still be recognised.
const maxNear = 3

// Nearest returns the one of names that name was probably meant to be, or "":
// the one with the fewest slips, if there is about one in three letters at
// most. Case does not count; equals go to the first in the alphabet, so that
// the answer is stable.
func Nearest(name string, names []string) string {
	name = strings.ToLower(name)
	limit := min(maxNear, (len(name)+1)/3)
	best, fewest := "", limit+1
	for _, candidate := range names {
		lower := strings.ToLower(candidate)
		if lower == name || len(lower) > len(name)+limit || len(lower) < len(name)-limit {
			continue
		}
		if n := slips(name, lower); n < fewest || n == fewest && candidate < best {
			best, fewest = candidate, n
		}
	}
	return best
}

// slips counts the insertions, deletions, replacements and swaps of neighbours
// that turn a into b, byte by byte (the optimal string alignment distance).
func slips(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
