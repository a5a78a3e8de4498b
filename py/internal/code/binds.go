package code

// Binds returns the globals that the code sets when it runs. The value says
// whether a function or a class does, and not only the module itself.
func (m *Module) Binds() map[string]bool {
	names := map[string]bool{}
	for _, c := range m.Codes {
		for pc := 0; pc < len(c.Instrs); pc += c.Instrs[pc].Op().Length() {
			if i := c.Instrs[pc]; i.Op() == OpSetGlobal {
				name := m.Globals[i.K()]
				names[name] = names[name] || c.Flags&Main == 0
			}
		}
	}
	return names
}
