package machine

// output is what the program printed.
type output struct {
	buf []byte
}

func (o *output) size() int { return cap(o.buf) }

// print appends text to the output.
func (m *Machine) print(s string) error {
	if m.host.Print != nil {
		m.host.Print(s)
		return m.Work(len(s) / 8)
	}
	if len(m.out.buf)+len(s) > m.limits.Output {
		room := m.limits.Output - len(m.out.buf)
		m.out.buf = append(m.out.buf, s[:max(0, room)]...)
		return m.limit(OutputLimit)
	}
	if n := cap(m.out.buf); len(m.out.buf)+len(s) > n {
		if err := m.Alloc(max(n, len(s))); err != nil {
			return err
		}
	}
	if err := m.Work(len(s) / 8); err != nil {
		return err
	}
	m.out.buf = append(m.out.buf, s...)
	return nil
}

// printError is print for the other stream, if the host tells them apart.
func (m *Machine) printError(s string) error {
	if m.host.PrintError == nil {
		return m.print(s)
	}
	m.host.PrintError(s)
	return m.Work(len(s) / 8)
}

// Output returns what the program printed so far.
func (m *Machine) Output() string { return m.OutputFrom(0) }

// OutputFrom returns what the program printed after the first n bytes.
func (m *Machine) OutputFrom(n int) string { return string(m.out.buf[min(max(n, 0), len(m.out.buf)):]) }
