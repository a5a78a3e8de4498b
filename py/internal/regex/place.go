package regex

// holds reports whether an anchor holds at pos.
func (a *attempt) holds(at anchor, pos int) bool {
	t := a.text
	switch at {
	case atNone:
		return true
	case atStart:
		return pos == 0
	case atLine:
		return pos == 0 || t[pos-1] == '\n'
	case atEnd:
		return pos == len(t) || pos == len(t)-1 && t[pos] == '\n'
	case atLineEnd:
		return pos == len(t) || t[pos] == '\n'
	case atTextEnd:
		return pos == len(t)
	}
	// CPython finds neither an edge nor its absence in an empty text.
	if len(t) == 0 {
		return false
	}
	ascii := at == atASCIIWord || at == atNotASCIIWord
	edge := a.wordBefore(pos, ascii) != a.wordAfter(pos, ascii)
	return edge == (at == atWord || at == atASCIIWord)
}

func (a *attempt) wordBefore(pos int, ascii bool) bool {
	if pos == 0 {
		return false
	}
	r, _ := a.at(a.text, a.before(a.text, pos))
	return isWord(r, ascii)
}

func (a *attempt) wordAfter(pos int, ascii bool) bool {
	if pos == len(a.text) {
		return false
	}
	r, _ := a.at(a.text, pos)
	return isWord(r, ascii)
}

// look reports whether the assertion of in holds at pos, with the slots of the
// groups that matched in it.
func (a *attempt) look(in *inst, pos int) (bool, []int, error) {
	negate := in.r&lookNegate != 0
	if in.r&lookBehind != 0 {
		if err := work(a.m, int(in.r>>lookShift)); err != nil {
			return false, nil, err
		}
		for range in.r >> lookShift {
			if pos == 0 {
				return negate, nil, nil
			}
			pos = a.before(a.text, pos)
		}
	}
	s, err := a.s.deeper(a.m)
	if err != nil {
		return false, nil, err
	}
	sub := attempt{Pattern: a.Pattern, s: s, m: a.m, text: a.text, begin: in.y, pos: pos, only: true}
	slots, err := sub.run()
	if err != nil {
		return false, nil, err
	}
	if negate {
		return slots == nil, nil, nil
	}
	return slots != nil, slots, nil
}
