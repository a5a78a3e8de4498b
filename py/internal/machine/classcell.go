package machine

// fillClassCell gives c to those of its methods that name their class, which
// what a metaclass does with the new class may call already.
func (c *Class) fillClassCell() {
	for i := range c.attrs.entries {
		v := c.attrs.entries[i].value
		d, ok := v.Self().(*descriptor)
		if !ok {
			c.fillCellOf(v)
			continue
		}
		c.fillCellOf(d.get)
		c.fillCellOf(d.set)
		c.fillCellOf(d.del)
	}
}

func (c *Class) fillCellOf(v Value) {
	f, ok := v.Self().(*function)
	if !ok {
		return
	}
	for i, capture := range f.code.code.Captures {
		if capture.Name == "__class__" && i < len(f.cells) && !f.cells[i].v.Bound() {
			f.cells[i].v = c.Ref()
		}
	}
}
