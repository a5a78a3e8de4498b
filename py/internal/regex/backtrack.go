package regex

import (
	"errors"
	"unicode/utf8"
)

// job is an alternative that the backtracker has put off.
type job struct {
	pc   int32 // where to continue, or the slot to restore
	what jobKind
	pos  int
	low  int // of a run: the last place to continue from
}

type jobKind uint8

const (
	jobBranch jobKind = iota
	jobRun            // continue one character before pos, down to low
	jobRestore
)

// jobSize is what a job is charged for.
const jobSize = 32

// errTired ends a backtracking that Pike's machine should take over.
var errTired = errors.New("regex: too much backtracking")

// The backtracker may take patience steps, and stride more for each byte that
// it has looked at; Pike's machine takes about as long for a byte.
const (
	patience = 2000
	stride   = 16
	portion  = 1000 // steps between two payments

	longestRun = 1 << 17 // bytes
)

// backtrack looks for a match at each place from pos on. No match is nil.
func (a *attempt) backtrack() ([]int, error) {
	s := a.s
	for pos := a.pos; ; {
		start, err := a.candidate(pos)
		if err != nil || start < 0 {
			return nil, err
		}
		if err := s.clearSlots(a.m, a.Pattern.slots); err != nil {
			return nil, err
		}
		end, err := a.try(start)
		if err != nil {
			return nil, err
		}
		if end >= 0 {
			s.slots[0], s.slots[1] = start, end
			return a.result(true), nil
		}
		if a.only || start >= len(a.text) {
			return nil, nil
		}
		_, n := a.at(a.text, start)
		pos = start + n
	}
}

// try matches at one place and returns where the match ends, or -1.
func (a *attempt) try(start int) (int, error) {
	s := a.s
	s.jobs = s.jobs[:0]
	pc, pos := a.begin, start
	for {
		if a.steps++; a.steps >= a.next {
			if err := a.pay(pos); err != nil {
				return -1, err
			}
		}
		in := &a.program[pc]
		ok := true
		switch in.op {
		case opByte:
			ok = pos < len(a.text) && a.text[pos] == byte(in.r)
			pos++
		case opRune, opSet:
			var n int
			n, ok = a.character(in, pos)
			pos += n
		case opSave:
			if err := a.push(job{pc: in.y, what: jobRestore, pos: s.slots[in.y]}); err != nil {
				return -1, err
			}
			s.slots[in.y] = pos
		case opAt:
			ok = in.r == 0 || a.holds(anchor(in.r), pos)
		case opSplit:
			if err := a.push(job{pc: in.y, pos: pos}); err != nil {
				return -1, err
			}
		case opAgain:
			if s.slots[in.r] == pos {
				pc = max(in.x, in.y) // the exit comes after the loop
				continue
			}
			if err := a.push(job{pc: in.y, pos: pos}); err != nil {
				return -1, err
			}
		case opRun:
			end := a.runOn(in, pos)
			if end-pos < longestRun {
				pc = in.y
			}
			if end > pos {
				if err := a.push(job{pc: in.y, what: jobRun, pos: end, low: pos}); err != nil {
					return -1, err
				}
			}
			pos = end
			continue
		case opLook:
			var err error
			if ok, err = a.lookAndSave(in, pos); err != nil {
				return -1, err
			}
		case opMatch:
			if a.accepts(pos) {
				return pos, nil
			}
			ok = false
		}
		if ok {
			pc = in.x
			continue
		}
		if pc, pos, ok = a.back(pos); !ok {
			return -1, nil
		}
	}
}

// character reports whether the character at pos is that of in, and its width.
func (a *attempt) character(in *inst, pos int) (int, bool) {
	if pos >= len(a.text) {
		return 0, false
	}
	c := a.text[pos]
	if in.op == opSet && c < utf8.RuneSelf {
		return 1, in.set.low[c>>5]>>(c&31)&1 != 0
	}
	r, n := a.at(a.text, pos)
	if in.op == opSet {
		return n, in.set.has(r)
	}
	return n, r == in.r
}

// runOn returns where the run of the character of a loop ends; one that is
// longer than longestRun is taken in parts, to be paid in between.
func (a *attempt) runOn(loop *inst, pos int) int {
	start := pos
	in := &a.program[loop.x]
	for pos-start < longestRun {
		n, ok := a.character(in, pos)
		if !ok {
			break
		}
		pos += n
	}
	a.steps += pos - start
	return pos
}

// back takes up the alternative that was put off last.
func (a *attempt) back(pos int) (int32, int, bool) {
	a.far = max(a.far, pos)
	s := a.s
	for n := len(s.jobs) - 1; n >= 0; n-- {
		j := &s.jobs[n]
		switch j.what {
		case jobRestore:
			s.slots[j.pc] = j.pos
			continue
		case jobRun:
			j.pos = max(j.low, a.before(a.text, j.pos))
			pc, at := j.pc, j.pos
			if at <= j.low {
				n--
			}
			s.jobs = s.jobs[:n+1]
			return pc, at, true
		}
		s.jobs = s.jobs[:n]
		return j.pc, j.pos, true
	}
	s.jobs = s.jobs[:0]
	return 0, 0, false
}

func (a *attempt) push(j job) error {
	s := a.s
	if n := len(s.jobs); n == cap(s.jobs) {
		grow := max(32, n)
		if err := a.m.Alloc(grow * jobSize); err != nil {
			return err
		}
		s.jobs = append(make([]job, 0, n+grow), s.jobs...)
	}
	s.jobs = append(s.jobs, j)
	return nil
}

// pay pays for the steps since the last time, and gives up when they were too
// many for the text that was looked at.
func (a *attempt) pay(pos int) error {
	a.far = max(a.far, pos)
	if err := work(a.m, 5*(a.steps-a.next+portion)); err != nil {
		return err
	}
	a.next = a.steps + portion
	if a.steps > patience+stride*(a.far-a.pos) {
		return errTired
	}
	return nil
}

// lookAndSave evaluates an opLook and takes over the groups it has set.
func (a *attempt) lookAndSave(in *inst, pos int) (bool, error) {
	ok, slots, err := a.look(in, pos)
	if err != nil {
		return false, err
	}
	for i := 2; i < len(slots); i++ {
		if slots[i] < 0 {
			continue
		}
		if err := a.push(job{pc: int32(i), what: jobRestore, pos: a.s.slots[i]}); err != nil {
			return false, err
		}
		a.s.slots[i] = slots[i]
	}
	return ok, nil
}
