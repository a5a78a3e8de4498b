package regex

// threads is a list of the places in the program that are alive, best first.
type threads struct {
	sparse []int32 // instruction to its index in dense, if that agrees
	dense  []int32 // the instructions that were visited
	seen   int
	live   []int32 // those of them that read a character or end the match
	slots  []int   // for each of live
}

func (l *threads) reset() {
	l.seen = 0
	l.live = l.live[:0]
	l.slots = l.slots[:0]
}

// visit reports whether pc is visited for the first time.
func (l *threads) visit(pc int32) bool {
	if i := l.sparse[pc]; int(i) < l.seen && l.dense[i] == pc {
		return false
	}
	l.sparse[pc] = int32(l.seen)
	l.dense[l.seen] = pc
	l.seen++
	return true
}

// addition is something left to do while a thread is followed to the
// instructions that read a character.
type addition struct {
	pc   int32 // where to continue, or -1-slot to restore
	slot int
}

// pike looks for a match with all alternatives in step.
func (a *attempt) pike() ([]int, error) {
	s := a.s
	width := a.Pattern.slots
	if err := s.clearSlots(a.m, width); err != nil {
		return nil, err
	}
	if err := a.prepare(); err != nil {
		return nil, err
	}
	now, then := &s.lists[0], &s.lists[1]
	matched := false
	for pos := a.pos; ; {
		if len(now.live) == 0 {
			start, err := a.restart(pos, matched)
			if err != nil || start < 0 {
				return a.result(matched), err
			}
			pos = start
			now.reset()
		}
		if !matched && (!a.only || pos == a.pos) {
			if err := a.seed(now, pos); err != nil {
				return nil, err
			}
		}
		if err := work(a.m, 20+8*now.seen+len(now.live)*(10+width)); err != nil {
			return nil, err
		}
		n, found, err := a.step(now, then, pos)
		if err != nil {
			return nil, err
		}
		matched = matched || found
		if n == 0 {
			return a.result(matched), nil
		}
		pos += n
		now, then = then, now
		then.reset()
	}
}

// restart returns where to continue when no thread is alive, or -1.
func (a *attempt) restart(pos int, matched bool) (int, error) {
	if matched || a.only && pos != a.pos {
		return -1, nil
	}
	return a.candidate(pos)
}

func (a *attempt) result(matched bool) []int {
	if !matched {
		return nil
	}
	return a.s.slots[:2*(a.Groups+1)]
}

// prepare sizes the lists for the program.
func (a *attempt) prepare() error {
	for i := range a.s.lists {
		l := &a.s.lists[i]
		l.reset()
		if len(l.sparse) >= len(a.program) {
			continue
		}
		if err := a.m.Alloc(40 * len(a.program)); err != nil {
			return err
		}
		l.sparse = make([]int32, len(a.program))
		l.dense = make([]int32, len(a.program))
	}
	return nil
}

// seed starts a thread at pos, of the least priority.
func (a *attempt) seed(l *threads, pos int) error {
	for i := range a.s.save {
		a.s.save[i] = -1
	}
	a.s.save[0] = pos
	return a.add(l, a.begin, pos)
}

// step advances all threads over the character at pos. It returns its width, 0
// at the end of the text.
func (a *attempt) step(now, then *threads, pos int) (int, bool, error) {
	width := len(a.s.slots)
	n := 0
	if pos < len(a.text) {
		_, n = a.at(a.text, pos)
	}
	for i, pc := range now.live {
		in := &a.program[pc]
		slots := now.slots[i*width : (i+1)*width]
		if in.op == opMatch {
			if !a.accepts(pos) {
				continue
			}
			copy(a.s.slots, slots)
			a.s.slots[1] = pos
			return n, true, nil
		}
		if n == 0 || !a.matches(in, pos) {
			continue
		}
		copy(a.s.save, slots)
		if err := a.add(then, in.x, pos+n); err != nil {
			return 0, false, err
		}
	}
	return n, false, nil
}

func (a *attempt) matches(in *inst, pos int) bool {
	if in.op == opByte {
		return a.text[pos] == byte(in.r)
	}
	_, ok := a.character(in, pos)
	return ok
}

// add follows pc to the instructions that read, in order of priority. The slots
// of the thread are in save.
func (a *attempt) add(l *threads, pc int32, pos int) error {
	s := a.s
	s.adds = append(s.adds[:0], addition{pc: pc})
	for len(s.adds) > 0 {
		top := s.adds[len(s.adds)-1]
		s.adds = s.adds[:len(s.adds)-1]
		if top.pc < 0 {
			s.save[-1-top.pc] = top.slot
			continue
		}
		if err := a.follow(l, top.pc, pos); err != nil {
			return err
		}
	}
	return nil
}

// follow goes from one instruction to the next until one reads a character.
func (a *attempt) follow(l *threads, pc int32, pos int) error {
	for l.visit(pc) {
		in := &a.program[pc]
		switch in.op {
		case opSplit, opRun:
			a.s.adds = append(a.s.adds, addition{pc: in.y})
		case opAgain:
			if a.s.save[in.r] == pos {
				pc = max(in.x, in.y)
				continue
			}
			a.s.adds = append(a.s.adds, addition{pc: in.y})
		case opSave:
			a.set(in.y, pos)
		case opAt:
			if in.r != 0 && !a.holds(anchor(in.r), pos) {
				return nil
			}
		case opLook:
			ok, slots, err := a.look(in, pos)
			if err != nil || !ok {
				return err
			}
			for i := 2; i < len(slots); i++ {
				if slots[i] >= 0 {
					a.set(int32(i), slots[i])
				}
			}
		default:
			return a.keep(l, pc)
		}
		pc = in.x
	}
	return nil
}

// set changes a slot until the alternatives put off so far are taken up.
func (a *attempt) set(slot int32, pos int) {
	a.s.adds = append(a.s.adds, addition{pc: -1 - slot, slot: a.s.save[slot]})
	a.s.save[slot] = pos
}

// keep makes a thread of pc with the slots that are saved.
func (a *attempt) keep(l *threads, pc int32) error {
	s := a.s
	if n := len(l.slots) + len(s.save); n > cap(l.slots) {
		if err := a.m.Alloc(16 * n); err != nil {
			return err
		}
		l.slots = append(make([]int, 0, 2*n), l.slots...)
	}
	l.slots = append(l.slots, s.save...)
	l.live = append(l.live, pc)
	return nil
}
