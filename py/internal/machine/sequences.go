package machine

func defineSequences(r *registry) {}
