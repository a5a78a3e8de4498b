package machine

// Counted gives the module a function of min to max positional arguments; max
// < 0 is any number.
func (mod *ModuleBuilder) Counted(name string, min, max int, fn NativeFunc) *Native {
	n := &Native{name: name, module: mod.name, min: min, max: max, fn: fn, plain: true, id: mod.name + "." + name}
	v := n.value()
	mod.r.identify(v, n.id)
	mod.Define(name, v)
	return n
}

// CountedKw is counted for a function that takes keywords.
func (mod *ModuleBuilder) CountedKw(name string, min, max int, fn NativeFunc) {
	mod.Counted(name, min, max, fn).keywords = true
}

// hidden makes a function that has no name in the module.
func (mod *ModuleBuilder) hidden(name string, args int, fn NativeFunc) Value {
	n := &Native{name: name, module: mod.name, min: args, max: args, fn: fn, id: mod.name + " " + name}
	v := n.value()
	mod.r.identify(v, n.id)
	return v
}

// title is how messages about the number of arguments call the function.
func (n *Native) title() string {
	if n.module != "" {
		return n.module + "." + n.name
	}
	return n.name
}
