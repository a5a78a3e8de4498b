package machine

// tupleOf makes a tuple with room for n items, which the caller has paid for. A
// small one has them beside it, in one allocation.
func tupleOf(n int) *Tuple {
	switch n {
	case 1:
		t := &struct {
			Tuple
			array [1]Value
		}{}
		t.items = t.array[:]
		return &t.Tuple
	case 2:
		t := &struct {
			Tuple
			array [2]Value
		}{}
		t.items = t.array[:]
		return &t.Tuple
	case 3:
		t := &struct {
			Tuple
			array [3]Value
		}{}
		t.items = t.array[:]
		return &t.Tuple
	case 4:
		t := &struct {
			Tuple
			array [4]Value
		}{}
		t.items = t.array[:]
		return &t.Tuple
	case 5:
		t := &struct {
			Tuple
			array [5]Value
		}{}
		t.items = t.array[:]
		return &t.Tuple
	case 6:
		t := &struct {
			Tuple
			array [6]Value
		}{}
		t.items = t.array[:]
		return &t.Tuple
	case 7:
		t := &struct {
			Tuple
			array [7]Value
		}{}
		t.items = t.array[:]
		return &t.Tuple
	case 8:
		t := &struct {
			Tuple
			array [8]Value
		}{}
		t.items = t.array[:]
		return &t.Tuple
	}
	return &Tuple{items: make([]Value, n)}
}

// pairOf makes a tuple of two, which the caller has paid for.
func pairOf(a, b Value) Value {
	t := &struct {
		Tuple
		array [2]Value
	}{array: [2]Value{a, b}}
	t.items = t.array[:]
	return t.Tuple.value()
}
