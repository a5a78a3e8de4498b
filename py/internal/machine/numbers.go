package machine

func defineNumbers(r *registry) {}
