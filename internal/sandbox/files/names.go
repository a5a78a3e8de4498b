package files

import (
	"strconv"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
)

// Names gives each file of a collection a name of its own. The zero value
// is ready.
type Names struct {
	taken map[string]bool
	next  map[string]int // the first index to try in front of a name
	count int
}

// MaxName is the longest name that every common file system can hold.
const MaxName = 255 // bytes

// longestPrefix is the room for an index in front of a name.
const longestPrefix = 20 // bytes

// Pick returns the name that a file should have. One that is no safe file name
// becomes the index of the file, and one that is taken gets an index in front.
// It never tries an index twice: a cell could make that take forever.
func (n *Names) Pick(wanted string) string {
	if n.taken == nil {
		n.taken, n.next = map[string]bool{}, map[string]int{}
	}
	index := n.count
	n.count++
	if api.CheckName(wanted, false) != nil {
		wanted = strconv.Itoa(index)
	}
	name, tail := wanted, strings.ToValidUTF8(wanted[:min(len(wanted), MaxName-longestPrefix)], "")
	for i := max(index, n.next[tail]); n.taken[name]; i++ {
		name = strconv.Itoa(i) + "-" + tail
		n.next[tail] = i + 1
	}
	n.taken[name] = true
	return name
}
