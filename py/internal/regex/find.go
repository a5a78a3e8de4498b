package regex

import (
	"errors"
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
)

// Mode says where a match must be.
type Mode uint8

// The modes of re.search, re.match and re.fullmatch.
const (
	Search Mode = iota
	Match
	Fullmatch
)

// Find looks for a match in text[:end], from pos on; 0 <= pos <= end is up to
// the caller. The result has the byte offsets at which the match and each group
// start and end, two for each, -1 for groups without a match; nil is no match.
// It belongs to s and is overwritten by the next use of it.
func (p *Pattern) Find(m budget.Meter, s *Scratch, text string, pos, end int, mode Mode) ([]int, error) {
	a := attempt{
		Pattern: p, s: s, m: m, text: text[:end], pos: pos,
		only: mode != Search, whole: mode == Fullmatch,
	}
	return a.run()
}

// Scanner finds one match after the other, as re.finditer. Its fields are all
// of its state, so a snapshot can hold it; Pos beyond End is the end.
type Scanner struct {
	Pattern  *Pattern
	Text     string
	Pos, End int  // in bytes
	Advance  bool // the next match must not be empty at Pos
	Tired    bool // the backtracker gave up before
}

// Next returns the next match, as Find does, or nil.
func (sc *Scanner) Next(m budget.Meter, s *Scratch) ([]int, error) {
	if sc.Pos > sc.End {
		return nil, nil
	}
	a := attempt{
		Pattern: sc.Pattern, s: s, m: m, text: sc.Text[:sc.End], pos: sc.Pos,
		advance: sc.Advance, tired: sc.Tired,
	}
	groups, err := a.run()
	if err != nil {
		return nil, err
	}
	if groups == nil {
		sc.Pos = sc.End + 1
		return nil, nil
	}
	sc.Pos, sc.Advance, sc.Tired = groups[1], groups[0] == groups[1], a.tired
	return groups, nil
}

// run lets the backtracker try, then Pike's machine.
func (a *attempt) run() ([]int, error) {
	if !a.tired {
		a.next = portion
		groups, err := a.backtrack()
		if !errors.Is(err, errTired) {
			if err == nil {
				err = work(a.m, 50+5*(a.steps-a.next+portion))
			}
			return groups, err
		}
		a.tired = true
	}
	return a.pike()
}

// candidate returns the first place from pos on at which a match may start, or
// -1 when there is none.
func (a *attempt) candidate(pos int) (int, error) {
	switch {
	case a.only:
		return pos, nil
	case a.start == atStart:
		if pos > 0 {
			return -1, nil
		}
		return pos, nil
	case a.prefix != "":
		return a.index(pos)
	case a.first != nil:
		return a.skip(pos)
	}
	return pos, nil
}

// chunk is how much is searched between two payments.
const chunk = 1 << 18

// index finds the text that every match begins with.
func (a *attempt) index(pos int) (int, error) {
	for {
		stop := min(len(a.text), pos+chunk+len(a.prefix)-1)
		i := strings.Index(a.text[pos:stop], a.prefix)
		if i >= 0 {
			return pos + i, work(a.m, i)
		}
		if err := work(a.m, stop-pos); err != nil {
			return -1, err
		}
		if stop == len(a.text) {
			return -1, nil
		}
		pos += chunk
	}
}

// skip finds a byte with which a match can begin.
func (a *attempt) skip(pos int) (int, error) {
	for pos < len(a.text) {
		stop := min(len(a.text), pos+chunk)
		start := pos
		for pos < stop && !a.first[a.text[pos]] {
			pos++
		}
		if err := work(a.m, pos-start); err != nil {
			return -1, err
		}
		if pos < stop {
			return pos, nil
		}
	}
	return -1, nil
}
