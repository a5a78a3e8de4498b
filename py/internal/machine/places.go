package machine

import "github.com/glovebox-dev/glovebox/py/internal/text"

// places are the offsets of every placeStep-th code point of a long str that is
// not ASCII: made when it is indexed, and forgotten at the next trace. A machine
// keeps those of a few strs, because strs themselves have no room for them.
type places struct {
	of      *Str
	offsets []uint32
}

const (
	placeStep = 32
	placedMin = 4 * placeStep // bytes from which it pays
)

// offset is where code point i of a str that is not flat begins.
func (m *Machine) offset(s *Str, i int) (int, error) {
	if len(s.s) < placedMin {
		return text.Offset(s.s, i), nil
	}
	p, err := m.placesOf(s)
	if err != nil {
		return 0, err
	}
	lo := len(s.s)
	if k := i / placeStep; k < len(p.offsets) {
		lo = int(p.offsets[k])
	}
	m.budget--
	return lo + text.Offset(s.s[lo:], i%placeStep), nil
}

// placesOf returns the places of s.
func (m *Machine) placesOf(s *Str) (*places, error) {
	for i := range m.places {
		if m.places[i].of == s {
			return &m.places[i], nil
		}
	}
	if err := m.Alloc(s.len() / placeStep * 4); err != nil {
		return nil, err
	}
	if err := m.Work(len(s.s)); err != nil {
		return nil, err
	}
	offsets := make([]uint32, 0, s.len()/placeStep+1)
	at := 0
	for left := s.len(); left >= 0; left -= placeStep {
		offsets = append(offsets, uint32(at))
		at += text.Offset(s.s[at:], min(left, placeStep))
	}
	m.placesNext = (m.placesNext + 1) % len(m.places)
	p := &m.places[m.placesNext]
	*p = places{s, offsets}
	return p, nil
}
