package postgres

import (
	"cmp"
	"net"
	"net/url"
	"os"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/loopback"
)

// address says where a database is, as a URL. Nothing that it is shown as has the
// password.
type address struct {
	url    *url.URL
	config *pgxpool.Config
}

// IsAddress reports whether a text means a database of Postgres.
func IsAddress(text string) bool {
	return strings.HasPrefix(text, "postgres://") || strings.HasPrefix(text, "postgresql://")
}

// parseAddress reads a URL. What it leaves out is taken from variables such as
// PGHOST and PGPASSWORD, as programs of Postgres do.
func parseAddress(text string) (*address, error) {
	u, err := url.Parse(text) // its error has the text, and so the password
	if err != nil || !IsAddress(text) {
		return nil, badAddress("it is no URL of Postgres")
	}
	a := &address{url: u}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return nil, badAddress("what follows its ? cannot be read")
	}
	secure := *u
	if !query.Has("sslmode") && os.Getenv("PGSSLMODE") == "" && !local(cmp.Or(query.Get("host"), u.Hostname(), os.Getenv("PGHOST"))) {
		query.Set("sslmode", "verify-full")
		secure.RawQuery = query.Encode()
	}
	if a.config, err = pgxpool.ParseConfig(secure.String()); err != nil {
		return nil, badAddress("%s", a.hide(err.Error()))
	}
	return a, nil
}

func badAddress(format string, args ...any) error {
	return api.Errorf(api.RequestInvalid, "the address of the journal is wrong: "+format, args...).
		WithHint("write postgres://USER@HOST:PORT/DATABASE; what is special in a user or a password is written as %%XX").
		WithDetails(api.Details{Field: "journal", Expected: "postgres://USER@HOST:PORT/DATABASE"})
}

// local reports whether what is sent to all of some hosts stays on this machine.
func local(hosts string) bool {
	for host := range strings.SplitSeq(hosts, ",") {
		if name, _, err := net.SplitHostPort(host); err == nil {
			host = name
		}
		if host != "" && !strings.HasPrefix(host, "/") && !loopback.IsHost(host) {
			return false
		}
	}
	return true
}

// String is the place without user, password and parameters.
func (a *address) String() string {
	c := a.config.ConnConfig
	place := url.URL{Scheme: "postgres", Path: "/" + c.Database}
	if strings.HasPrefix(c.Host, "/") {
		return place.String() + "?host=" + c.Host
	}
	place.Host = c.Host
	if c.Port != 5432 {
		place.Host = net.JoinHostPort(c.Host, strconv.Itoa(int(c.Port)))
	}
	return place.String()
}

func (a *address) user() string     { return a.config.ConnConfig.User }
func (a *address) database() string { return a.config.ConnConfig.Database }

// hide takes passwords out of a text.
func (a *address) hide(text string) string {
	var secrets []string
	if password, ok := a.url.User.Password(); ok {
		secrets = append(secrets, password, url.QueryEscape(password), strings.TrimPrefix(url.UserPassword("", password).String(), ":"))
	}
	for _, name := range []string{"password", "sslpassword"} {
		secrets = append(secrets, a.url.Query()[name]...)
	}
	for _, secret := range append(secrets, os.Getenv("PGPASSWORD")) {
		if secret != "" {
			text = strings.ReplaceAll(text, secret, "xxxxx")
		}
	}
	return text
}
