// Package withheld puts secrets into the requests of a program that never has them.
//
// A secret is withheld if its task names hosts for it. The program has a placeholder;
// the proxy outside of its cell ends its TLS to those hosts by an authority that only
// this cell trusts, puts the value in, and takes it out of what comes back. What goes
// anywhere else goes as the program made it, placeholder and all.
//
// The hosts are trusted with the value: one that hands it back in pieces, reversed or
// otherwise changed gives it away. Request headers that ask for pieces are left out.
package withheld

import (
	"crypto/tls"
	"slices"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/localca"
	"github.com/glovebox-dev/glovebox/internal/secret"
)

// The bounds of one value. A short one would be found in answers where it is not, and
// a long one fits into no header.
const (
	minValue = 8
	maxValue = 8 << 10
)

// Value is a withheld secret with what is secret about it.
type Value struct {
	Ref         api.SecretRef
	Value       string
	Placeholder string
}

// Set are the withheld secrets of one cell. A nil one has none.
type Set struct {
	secrets   []*held
	authority *localca.Authority
	redactor  *secret.Redactor
	bodies    chan struct{} // a place for each that is read to be signed
}

// held is one secret with its rules.
type held struct {
	Value
	hosts  []host
	inject inject
	allow  []rule
}

// New returns the set of a cell. Key is the secret of its authority, which is good
// until a time. The refs have passed Check.
func New(values []Value, key []byte, until time.Time, redactor *secret.Redactor) (*Set, error) {
	s := &Set{redactor: redactor, bodies: make(chan struct{}, maxBodies)}
	var domains []string
	for _, v := range values {
		if err := checkValue(v); err != nil {
			return nil, err
		}
		h, err := parse("secrets", v.Ref)
		if err != nil {
			return nil, err
		}
		h.Value = v
		s.secrets = append(s.secrets, h)
		for _, host := range h.hosts {
			domains = append(domains, host.domain)
		}
	}
	slices.Sort(domains)
	var err error
	s.authority, err = localca.ForHosts(key, slices.Compact(domains), s.ends, until)
	return s, err
}

// ends reports whether the TLS of a name is ended here.
func (s *Set) ends(name string) bool {
	return slices.ContainsFunc(s.secrets, func(h *held) bool {
		return slices.ContainsFunc(h.hosts, func(host host) bool { return host.secure && host.named(name) })
	})
}

// Certificate is that of the authority, in PEM: what the cell has to trust.
func (s *Set) Certificate() []byte { return s.authority.PEM() }

// checkValue refuses values that no request can carry. The error shows none.
func checkValue(v Value) error {
	wrong := func(got, hint string) error {
		return api.Errorf(api.InvalidTask, "secret %q cannot be withheld: its value %s", v.Ref.Name, got).WithHint("%s", hint).
			WithDetails(api.Details{Field: "secrets", Got: v.Ref.Name, Expected: "8 bytes to 8 KiB of printable ASCII"})
	}
	switch {
	case len(v.Value) < minValue:
		return wrong("is shorter than 8 bytes", "so short a value would be found everywhere in answers: have a longer one")
	case len(v.Value) > maxValue:
		return wrong("is longer than 8 KiB", "give it to the run as a file, without hosts")
	case strings.TrimFunc(v.Value, printable) != "" || strings.ContainsFunc(v.Value, func(c rune) bool { return !printable(c) }):
		return wrong("has bytes that no header can carry, such as the end of a line", "store it without: printf %s VALUE | glovebox secret set "+v.Ref.Name)
	}
	if _, fits := credentials(v.Value); v.Ref.Inject == sigV4 && !fits {
		return wrong("is no key of AWS", `store ID:KEY, or ID:KEY:TOKEN: printf %s "$AWS_ACCESS_KEY_ID:$AWS_SECRET_ACCESS_KEY" | glovebox secret set `+v.Ref.Name)
	}
	return nil
}

func printable(c rune) bool { return ' ' < c && c <= '~' || c == ' ' }

// Place is one host and port with the secrets that go there.
type Place struct {
	set     *Set
	name    string
	secrets []*held
}

// At returns the place of a host, with TLS or without; nil if no secret goes there.
func (s *Set) At(secure bool, name string, port uint16) *Place {
	if s == nil {
		return nil
	}
	p := &Place{set: s, name: name}
	for _, h := range s.secrets {
		if slices.ContainsFunc(h.hosts, func(host host) bool { return host.matches(secure, name, port) }) {
			p.secrets = append(p.secrets, h)
		}
	}
	if p.secrets == nil {
		return nil
	}
	return p
}

// Secured reports whether secrets go to a host by TLS.
func (s *Set) Secured(name string) bool { return s != nil && s.ends(name) }

// TLS is how the host itself meets the program that connects to the place. It has a
// certificate for that name alone.
func (p *Place) TLS() *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"}, SessionTicketsDisabled: true,
		GetCertificate: func(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
			if !strings.EqualFold(hello.ServerName, p.name) {
				return nil, &Refusal{Reason: "TLS in the tunnel to " + p.name + " asks for the server " + clip(hello.ServerName)}
			}
			return p.set.authority.Certificate(p.name)
		}}
}

// clip cuts hostile text to what fits into a line.
func clip(text string) string { return text[:min(len(text), 80)] }

// Refusal says why a request goes no further. It is a text for the program.
type Refusal struct{ Reason, Hint string }

// Error implements error.
func (r *Refusal) Error() string { return r.Reason }
