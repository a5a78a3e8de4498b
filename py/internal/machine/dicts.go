package machine

func defineDicts(r *registry) {}
