package s3

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/lazyregexp"
	"github.com/glovebox-dev/glovebox/internal/quantity"
)

// Address says where blobs are, and how they are reached. It has no credentials.
type Address struct {
	Bucket, Prefix string // the prefix is empty or ends with a slash
	Endpoint       string // URL of the store; "" is AWS
	Region         string // "" is that of the environment, else us-east-1
	PathStyle      bool   // the bucket is in the path, not in the name of the host
	Cache          int64  // bytes that this host keeps at hand
}

// defaultCache is how many bytes the cache of a home holds unless the address says so.
const defaultCache = 10 << 30

const form = "s3://BUCKET/PREFIX?endpoint=URL&region=NAME&path_style=true&cache=10Gi"

// ParseAddress reads an address. Its errors repeat no value, which may be a secret
// that does not belong there.
func ParseAddress(text string) (Address, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Scheme != "s3" || u.Opaque != "" || u.Fragment != "":
		return Address{}, invalid("it does not have that form")
	case u.User != nil:
		return Address{}, invalid("it has a user or a password").WithHint("give credentials by AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, a shared file, or a role")
	case !bucketForm().MatchString(u.Host):
		return Address{}, invalid("its bucket is no name of 3 to 63 letters, digits, dots, hyphens and underscores")
	}
	a := Address{Bucket: u.Host, Cache: defaultCache}
	if prefix := strings.Trim(u.Path, "/"); prefix != "" {
		if !prefixForm().MatchString(prefix) || len(prefix) > 400 {
			return Address{}, invalid("its prefix has other characters than letters, digits, dots, hyphens, underscores and slashes, or too many")
		}
		a.Prefix = prefix + "/"
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return Address{}, invalid("its parameters cannot be read")
	}
	if len(query["path_style"]) == 0 {
		a.PathStyle = query.Has("endpoint")
	}
	for name, values := range query {
		if err := a.set(name, values); err != nil {
			return Address{}, err
		}
	}
	return a, nil
}

// set takes one parameter.
func (a *Address) set(name string, values []string) (err error) {
	if len(values) != 1 || values[0] == "" {
		return invalid("its parameter %.40q is empty, or is there twice", name)
	}
	switch value := values[0]; name {
	case "endpoint":
		a.Endpoint, err = endpoint(value)
		return err
	case "region":
		if !bucketForm().MatchString(value) {
			return invalid("its region is no name such as eu-central-1")
		}
		a.Region = value
	case "path_style":
		if a.PathStyle, err = strconv.ParseBool(value); err != nil {
			return invalid("its path_style is neither true nor false")
		}
	case "cache":
		if a.Cache, err = quantity.ParseSize(value); err != nil || a.Cache < 1<<20 {
			return invalid("its cache is no size from 1Mi on, such as 10Gi")
		}
	default:
		return invalid("it has the unknown parameter %.40q", name)
	}
	return nil
}

// endpoint checks the URL of a store.
func endpoint(text string) (string, error) {
	if !strings.Contains(text, "://") {
		text = "https://" + text
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" {
		return "", invalid("its endpoint is no URL such as https://s3.example.com:9000")
	}
	return u.Scheme + "://" + u.Host, nil
}

var (
	bucketForm = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._-]{1,61}[A-Za-z0-9]$`)
	prefixForm = lazyregexp.New(`^[A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$`)
)

func invalid(format string, args ...any) *api.Error {
	return api.Errorf(api.RequestInvalid, "the address of the blobs is not usable: "+format, args...).
		WithHint("write %s", form).WithDetails(api.Details{Field: "blobs", Expected: form})
}

// Place names the blobs: the same for every address that leads to them.
func (a Address) Place() string {
	place := "s3://" + a.Bucket + "/" + a.Prefix
	if a.Endpoint != "" {
		place += "?endpoint=" + a.Endpoint
	}
	return place
}
