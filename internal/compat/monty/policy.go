package monty

import (
	"cmp"
	"crypto/rand"
	"fmt"
	"math"
	"math/big"
	"time"

	"github.com/glovebox-dev/glovebox/py"
)

// source says where something of the world comes from.
type source uint8

const (
	fromSystem source = iota
	fromHost          // the client is asked
	fromPolicy        // the policy itself says it
)

// policy is what a session has of the world.
type policy struct {
	clock    source
	at       time.Time // of fromPolicy
	sleep    source    // fromPolicy: sleeping takes no time
	maxSleep time.Duration
	random   source
	seed     any // of fromPolicy
	zone     *time.Location
	process  bool // the time that the code has run can be read
}

// defaultMaxSleep bounds one sleep, unless the client says.
const defaultMaxSleep = 10 * time.Second

func readPolicy(x field) (policy, error) {
	p := policy{maxSleep: defaultMaxSleep}
	body, err := x.message()
	if err != nil {
		return p, err
	}
	err = fields(body, func(x field) error {
		var err error
		switch x.number {
		case 1:
			p.clock = fromSystem
		case 2:
			p.clock = fromHost
		case 3:
			p.clock = fromPolicy
			p.at, err = readInstant(x)
		case 4:
			p.zone, err = readZone(x)
		case 5:
			err = p.readSleep(x)
		case 6:
			p.random = fromSystem
		case 7:
			p.random = fromHost
		case 8:
			p.random = fromPolicy
			p.seed, err = readSeed(x)
		case 9:
			p.process = false
		case 10:
			p.process = true
		}
		return err
	})
	return p, err
}

// readZone reads a time zone; nil is UTC.
func readZone(x field) (l *time.Location, err error) {
	body, err := x.message()
	if err != nil {
		return nil, err
	}
	err = fields(body, func(x field) error {
		switch x.number {
		case 1:
			l = nil
		case 2:
			name, err := x.text()
			known := false
			if l, known = py.Zone(name); err == nil && !known {
				err = fatalf("the time zone %.60q, which is unknown", name)
			}
			return err
		case 3:
			fixed, err := x.message()
			if err != nil {
				return err
			}
			n, err := readNaming(nodeZone, fixed)
			l = time.FixedZone(cmp.Or(n.Text, offsetName(n.Int)), int(n.Int))
			return err
		}
		return nil
	})
	return l, err
}

// offsetName is the name of a zone that has none but its offset in seconds.
func offsetName(seconds int64) string {
	sign := '+'
	if seconds < 0 {
		sign, seconds = '-', -seconds
	}
	return fmt.Sprintf("UTC%c%02d:%02d", sign, seconds/3600, seconds/60%60)
}

func readInstant(x field) (time.Time, error) {
	body, err := x.message()
	if err != nil {
		return time.Time{}, err
	}
	var seconds, micros int64
	err = fields(body, func(x field) error {
		switch x.number {
		case 1:
			seconds = int64(x.word)
		case 2:
			micros = int64(x.index())
		}
		return nil
	})
	const most = 253402300799 // the end of the year 9999
	if seconds < -62135596800 || seconds > most || micros > 999_999 {
		return time.Time{}, fatalf("a clock that stands at %d", seconds)
	}
	return time.Unix(seconds, micros*1000).UTC(), err
}

func (p *policy) readSleep(x field) error {
	body, err := x.message()
	if err != nil {
		return err
	}
	return fields(body, func(x field) error {
		switch x.number {
		case 1:
			p.sleep = fromSystem
			return p.readMaxSleep(x)
		case 2:
			p.sleep = fromHost
		case 3:
			p.sleep = fromPolicy
		}
		return nil
	})
}

func (p *policy) readMaxSleep(x field) error {
	body, err := x.message()
	if err != nil {
		return err
	}
	p.maxSleep = math.MaxInt64
	return fields(body, func(x field) error {
		if x.is(1) {
			p.maxSleep = micros(x.word)
		}
		return nil
	})
}

// readSeed reads what random.seed takes.
func readSeed(x field) (any, error) {
	body, err := x.message()
	if err != nil {
		return nil, err
	}
	var seed any = int64(0)
	err = fields(body, func(x field) (err error) {
		var b []byte
		switch x.number {
		case 1:
			b, err = x.message()
			seed = littleEndian(b)
		case 2:
			seed = x.float()
		case 3:
			seed, err = x.text()
		case 4:
			b, err = x.message()
			seed = b
		}
		return err
	})
	if f, ok := seed.(float64); ok && (math.IsNaN(f) || math.IsInf(f, 0)) {
		return nil, fatalf("a seed that is not finite")
	}
	return seed, err
}

// littleEndian is a number in two's complement with the lowest byte first.
func littleEndian(b []byte) *big.Int {
	reversed := make([]byte, len(b))
	for i, c := range b {
		reversed[len(b)-1-i] = c
	}
	n := new(big.Int).SetBytes(reversed)
	if len(b) > 0 && b[len(b)-1]&0x80 != 0 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
	}
	return n
}

// host is what the policy grants.
func (p policy) host(out *output, directory func() string) py.Host {
	h := py.Host{Print: out.print, PrintError: out.printError, Timers: true, Directory: directory, Zone: p.zone, AskClock: p.clock == fromHost, AskEntropy: p.random == fromHost}
	switch p.clock {
	case fromSystem:
		h.Clock = func() time.Time { return time.Now().UTC() }
	case fromPolicy:
		h.Clock = func() time.Time { return p.at }
	}
	switch p.random {
	case fromSystem:
		h.Entropy = func(b []byte) error { _, err := rand.Read(b); return err }
	case fromPolicy:
		h.Seed = p.seed
	}
	return h
}

// processTime is how long the code of the session has run, if it may know.
func (s *session) processTime(ran time.Duration) time.Duration {
	if !s.config.policy.process {
		return 0
	}
	return s.total + ran
}
