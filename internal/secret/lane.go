package secret

import "math"

// nowhere is the position of what is not in the stream.
const nowhere = math.MaxInt64

// lane follows bytes that were decoded from text, and knows where in the text
// each byte of the current prefix began.
type lane struct {
	*automaton
	state  int32
	starts []int64 // of the last bytes, at least as many as the prefix is long
}

// take follows one byte whose text began at start. It returns where the secret
// that ends with it began, or nowhere.
func (l *lane) take(c byte, start int64) int64 {
	if l.state == 0 && l.first[c] == 0 {
		return nowhere // most text
	}
	return l.follow(c, start)
}

func (l *lane) follow(c byte, start int64) int64 {
	l.state = l.step(l.state, fold(c))
	n := &l.nodes[l.state]
	if n.depth == 0 {
		l.reset()
		return nowhere
	}
	l.starts = append(l.starts, start)
	from := int64(nowhere)
	if n.match >= minEncoded {
		from = l.starts[len(l.starts)-int(n.match)]
	}
	if l.leaf(l.state) {
		l.state = n.fail // nothing longer begins there, so nothing need be held for it
	}
	l.trim()
	return from
}

// trim forgets the bytes before the prefix when they are the greater part.
func (l *lane) trim() {
	depth := int(l.nodes[l.state].depth)
	if len(l.starts) > 2*depth {
		l.starts = l.starts[:copy(l.starts, l.starts[len(l.starts)-depth:])]
	}
}

func (l *lane) reset() {
	l.state = 0
	l.starts = l.starts[:0]
}

// from returns where the prefix began, or nowhere.
func (l *lane) from() int64 {
	if l.state == 0 {
		return nowhere
	}
	return l.starts[len(l.starts)-int(l.nodes[l.state].depth)]
}
