package machine

func (m *Machine) percent(s *str, y Value) (Value, error) { return Value{}, errNotImplemented }
