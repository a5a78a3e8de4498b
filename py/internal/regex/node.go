package regex

// kind says what a node of a pattern's tree is.
type kind uint8

const (
	kEmpty  kind = iota
	kRune        // one character, r
	kSet         // one character of set
	kAssert      // a place, at
	kGroup       // subs[0], captured as group when that is not 0
	kConcat      // subs in turn
	kAlt         // the first of subs that leads to a match
	kRepeat      // subs[0], min to max times; max -1 is without end
	kLook        // subs[0] matches here, or ends here
)

// node is a part of a pattern.
type node struct {
	kind     kind
	at       anchor
	lazy     bool
	behind   bool
	negate   bool
	r        rune
	group    int
	min, max int
	set      *set
	subs     []*node
}

// anchor is a condition on a place in the text.
type anchor uint8

const (
	atNone anchor = iota
	atStart
	atLine
	atEnd // also before a newline that ends the text
	atLineEnd
	atTextEnd
	atWord
	atNotWord
	atASCIIWord
	atNotASCIIWord
)

// unbounded is the width of what has no longest match.
const unbounded = 1 << 30

// width returns the least and the greatest number of characters a node matches.
func (n *node) width() (low, high int) {
	switch n.kind {
	case kRune, kSet:
		return 1, 1
	case kGroup:
		return n.subs[0].width()
	case kConcat:
		for _, s := range n.subs {
			l, h := s.width()
			low, high = min(low+l, unbounded), min(high+h, unbounded)
		}
		return low, high
	case kAlt:
		low = unbounded
		for _, s := range n.subs {
			l, h := s.width()
			low, high = min(low, l), max(high, h)
		}
		return low, high
	case kRepeat:
		l, h := n.subs[0].width()
		return clampProduct(l, n.min), clampProduct(h, n.max)
	}
	return 0, 0
}

// clampProduct multiplies a width, where -1 repeats are without end.
func clampProduct(width, times int) int {
	if width == 0 || times == 0 {
		return 0
	}
	if times < 0 || width > unbounded/times {
		return unbounded
	}
	return width * times
}
