package cli

import (
	"fmt"
	"strconv"
	"time"

	"github.com/glovebox-dev/glovebox/internal/quantity"
)

// size is a flag that takes bytes, as package quantity reads them.
type size int64

func (s *size) String() string {
	if *s == 0 {
		return "0" // as the flags of others write that there is no default
	}
	return quantity.FormatSize(int64(*s))
}
func (s *size) Type() string { return "SIZE" }

func (s *size) Set(text string) error {
	n, err := quantity.ParseSize(text)
	if err == nil {
		*s = size(n)
	}
	return err
}

// cores is a flag that takes a number of processors, which need not be whole.
type cores float64

func (c *cores) String() string { return strconv.FormatFloat(float64(*c), 'g', -1, 64) }
func (c *cores) Type() string   { return "CORES" }

func (c *cores) Set(text string) error {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || !(n > 0) {
		return fmt.Errorf("%q is not a number of cores above 0; write such as 0.5 or 2", text)
	}
	*c = cores(n)
	return nil
}

// duration is a flag that takes a time above 0.
type duration time.Duration

// String is empty for no time, so that help shows no default.
func (d *duration) String() string {
	if *d == 0 {
		return ""
	}
	return time.Duration(*d).String()
}

func (d *duration) Type() string { return "TIME" }

func (d *duration) Set(text string) error {
	t, err := quantity.ParseDuration(text)
	if err == nil {
		*d = duration(t)
	}
	return err
}
