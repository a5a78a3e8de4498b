package machine

func defineStrings(r *registry) {}
