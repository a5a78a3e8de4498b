package text

import "github.com/glovebox-dev/glovebox/py/internal/budget"

// Long needles are searched with the failure function of Knuth, Morris and
// Pratt: the time is bounded by the length of the text whatever the bytes are,
// which strings.Index does not promise.

// bytesAt reads a text forwards or backwards.
type bytesAt struct {
	s        string
	backward bool
}

func (b bytesAt) at(i int) byte {
	if b.backward {
		return b.s[len(b.s)-1-i]
	}
	return b.s[i]
}

func indexLong(m budget.Meter, s, sub string) (int, error) {
	return knuth(m, bytesAt{s, false}, bytesAt{sub, false})
}

func lastIndexLong(m budget.Meter, s, sub string) (int, error) {
	i, err := knuth(m, bytesAt{s, true}, bytesAt{sub, true})
	if err != nil || i < 0 {
		return -1, err
	}
	return len(s) - i - len(sub), nil
}

// knuth returns where sub first begins in s, counted in the direction of reading.
func knuth(m budget.Meter, s, sub bytesAt) (int, error) {
	if len(sub.s) > len(s.s) {
		return -1, nil
	}
	if s.s[:len(sub.s)] == sub.s && !s.backward {
		return 0, m.Work(1 + len(sub.s)/16)
	}
	border, err := borders(m, sub)
	if err != nil {
		return 0, err
	}
	p, err := pacing(m, len(s.s))
	if err != nil {
		return 0, err
	}
	for i, k := 0, 0; i < len(s.s); i++ {
		if err := p.at(i); err != nil {
			return 0, err
		}
		for k > 0 && s.at(i) != sub.at(k) {
			k = border[k-1]
		}
		if s.at(i) == sub.at(k) {
			k++
		}
		if k == len(sub.s) {
			return i + 1 - k, nil
		}
	}
	return -1, nil
}

// borders returns for each prefix of sub the length of its longest proper prefix
// that is also its suffix.
func borders(m budget.Meter, sub bytesAt) ([]int, error) {
	if err := alloc(m, times(8, len(sub.s))); err != nil {
		return nil, err
	}
	p, err := pacing(m, len(sub.s))
	if err != nil {
		return nil, err
	}
	b := make([]int, len(sub.s))
	for i, k := 1, 0; i < len(b); i++ {
		if err := p.at(i); err != nil {
			return nil, err
		}
		for k > 0 && sub.at(i) != sub.at(k) {
			k = b[k-1]
		}
		if sub.at(i) == sub.at(k) {
			k++
		}
		b[i] = k
	}
	return b, nil
}
