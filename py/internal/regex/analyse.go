package regex

import "unicode/utf8"

// analyse finds out how a match must begin, so that a search can skip.
func (p *Pattern) analyse() {
	pc := p.skipSaves(0)
	if in := p.program[pc]; in.op == opAt && anchor(in.r) == atStart {
		p.start = atStart
		return
	}
	p.prefix = p.literal(pc)
	if p.prefix == "" {
		p.first = p.firstBytes()
	}
}

func (p *Pattern) skipSaves(pc int32) int32 {
	for p.program[pc].op == opSave {
		pc = p.program[pc].x
	}
	return pc
}

// literal returns the text that every match begins with.
func (p *Pattern) literal(pc int32) string {
	var lit []byte
	for len(lit) < 64 {
		in := p.program[pc]
		switch in.op {
		case opByte:
			lit = append(lit, byte(in.r))
		case opRune:
			lit = appendRune(lit, in.r)
		default:
			return string(lit)
		}
		pc = p.skipSaves(in.x)
	}
	return string(lit)
}

// firstBytes returns the bytes with which a match can begin, or nil when it
// can be empty or begin with nearly all of them.
func (p *Pattern) firstBytes() *[256]bool {
	var first [256]bool
	seen := make(map[int32]bool)
	todo := []int32{0}
	for len(todo) > 0 {
		pc := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[pc] {
			continue
		}
		if len(seen) > 200 {
			return nil
		}
		seen[pc] = true
		in := p.program[pc]
		switch in.op {
		case opMatch:
			return nil
		case opSplit, opRun, opAgain:
			todo = append(todo, in.x, in.y)
		case opSave, opAt, opLook:
			todo = append(todo, in.x)
		default:
			p.markFirst(&first, in)
		}
	}
	return &first
}

func (p *Pattern) markFirst(first *[256]bool, in inst) {
	switch in.op {
	case opByte:
		first[in.r] = true
		return
	case opRune:
		first[appendRune(nil, in.r)[0]] = true
		return
	}
	for c := range rune(256) {
		if c >= utf8.RuneSelf && !p.Bytes || in.set.has(c) {
			first[c] = true
		}
	}
}
