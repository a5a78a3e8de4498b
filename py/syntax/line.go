package syntax

import "slices"

// LineAt returns the line of a place, where that line begins and where the next
// one does. It takes less time than Position, which counts columns.
func (f *File) LineAt(p Pos) (line int, begin, next Pos) {
	i, found := slices.BinarySearch(f.lines, int32(p))
	if !found {
		i--
	}
	i = max(i, 0)
	if i+1 < len(f.lines) {
		return i + 1, Pos(f.lines[i]), Pos(f.lines[i+1])
	}
	return i + 1, Pos(f.lines[i]), Pos(len(f.Source) + 1)
}
