package machine

func defineSets(r *registry) {}
