package session

// owner names this process in the journal.
func (s *Service) owner() string { return *s.name.Load() }

// Surrender ends the cells of all sessions of this process, whose lease is over. Nothing
// of it is written: others record that they are lost.
func (s *Service) Surrender() {
	for _, l := range s.all() {
		l.turn <- struct{}{}
		l.leaveCell()
		l.done()
	}
}

// Rejoin lets this process hold sessions again, under another name.
func (s *Service) Rejoin(owner string) { s.name.Store(&owner) }
