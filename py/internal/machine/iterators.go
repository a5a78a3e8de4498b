package machine

func defineIterators(r *registry) {}
