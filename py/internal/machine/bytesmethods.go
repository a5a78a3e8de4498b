package machine

func defineBytes(r *registry) {}
