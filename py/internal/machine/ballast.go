package machine

// ballastBytes is how much memory the package keeps that nothing writes to, so that
// the system never gives it. The collector of Go waits until the heap has grown
// by a part of its size, which is but two megabytes where programs are small.
const ballastBytes = 32 << 20

func (r *Registry) layBallast() { r.ballast = make([]byte, ballastBytes) }
