package machine

import "slices"

// intRun is how many ints are sorted between two looks at the limits.
const intRun = 1 << 14

// sortInts sorts items when all are ints of 64 bits, where equal items cannot be
// distinguished. It returns false, with items as they were, for others.
func (m *Machine) sortInts(items []Value, reverse bool) (bool, error) {
	for i := range items {
		if items[i].o != &intTag {
			return false, nil
		}
	}
	if err := m.Alloc(2 * 8 * len(items)); err != nil {
		return false, err
	}
	numbers := make([]int64, len(items))
	for i := range items {
		numbers[i] = int64(items[i].n)
	}
	numbers, err := m.sortNumbers(numbers)
	if err != nil {
		return false, err
	}
	if reverse {
		slices.Reverse(numbers)
	}
	for i, n := range numbers {
		items[i].n = uint64(n)
	}
	return true, nil
}

// sortNumbers sorts runs, then merges them. It returns its argument or a slice
// of that length.
func (m *Machine) sortNumbers(from []int64) ([]int64, error) {
	for lo := 0; lo < len(from); lo += intRun {
		run := from[lo:min(lo+intRun, len(from))]
		if err := m.Work(len(run) * 32); err != nil {
			return nil, err
		}
		slices.Sort(run)
	}
	if len(from) <= intRun {
		return from, nil
	}
	to := make([]int64, len(from))
	for width := intRun; width < len(from); width *= 2 {
		for lo := 0; lo < len(from); lo += 2 * width {
			mid, hi := min(lo+width, len(from)), min(lo+2*width, len(from))
			if err := m.mergeNumbers(to[lo:hi], from[lo:mid], from[mid:hi]); err != nil {
				return nil, err
			}
		}
		from, to = to, from
	}
	return from, nil
}

// mergeNumbers merges two sorted runs into out, which has room for both.
func (m *Machine) mergeNumbers(out, a, b []int64) error {
	for n := range out {
		if n%intRun == 0 {
			if err := m.Work(min(intRun, len(out)-n) * 4); err != nil {
				return err
			}
		}
		if len(b) == 0 || len(a) > 0 && a[0] <= b[0] {
			out[n], a = a[0], a[1:]
		} else {
			out[n], b = b[0], b[1:]
		}
	}
	return nil
}
