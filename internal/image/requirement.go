package image

import (
	"net/url"
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/lazyregexp"
)

// gitPrefix begins the URL of a package in a git repository.
const gitPrefix = "git+"

// maxRequirement bounds one requirement, in bytes.
const maxRequirement = 1024

// Requirement is one parsed PEP 508 requirement.
type Requirement struct {
	Name       string   // normalised as PEP 503 says
	Extras     []string // normalised and sorted
	Specifiers []string // such as ">=2.0", sorted
	URL        string   // of a direct reference, else empty
	Marker     string   // in one spelling, else empty
}

// ParseRequirement reads one PEP 508 requirement, such as
// "pandas[excel]>=2.0; python_version < '3.13'". Options, paths, newlines and
// everything else that is not a requirement are invalid_package. Direct
// references ("name @ https://...") are accepted only with allowURLs.
func ParseRequirement(text string, allowURLs bool) (Requirement, error) {
	if err := plainText(text); err != nil {
		return Requirement{}, badRequirement(text, err.Error())
	}
	s := &scanner{rest: text}
	req, problem := s.requirement(allowURLs)
	if problem != "" {
		return Requirement{}, badRequirement(text, problem)
	}
	return req, nil
}

// String renders r in its one canonical spelling, which uv reads.
func (r Requirement) String() string {
	var b strings.Builder
	b.WriteString(r.Name)
	if len(r.Extras) > 0 {
		b.WriteString("[" + strings.Join(r.Extras, ",") + "]")
	}
	b.WriteString(strings.Join(r.Specifiers, ","))
	if r.URL != "" {
		b.WriteString(" @ " + r.URL)
	}
	if r.Marker != "" {
		b.WriteString(" ; " + r.Marker)
	}
	return b.String()
}

func badRequirement(text, problem string) error {
	shown := text
	if len(shown) > 200 {
		shown = shown[:200] + "..."
	}
	return api.Errorf(api.InvalidPackage, "package %q is not a valid requirement: %s", shown, problem).
		WithHint("write a name with optional extras, versions and markers, such as pandas>=2.0").
		WithDetails(api.Details{Field: "packages", Package: shown, Got: shown, Expected: "a PEP 508 requirement"})
}

// requirement reads the whole text; a non-empty string says what is wrong.
func (s *scanner) requirement(allowURLs bool) (Requirement, string) {
	var req Requirement
	s.spaces()
	name, ok := s.identifier()
	if !ok {
		return req, startProblem(s.rest)
	}
	req.Name = NormalizeName(name)
	s.spaces()
	if problem := s.extras(&req); problem != "" {
		return req, problem
	}
	s.spaces()
	if problem := s.versionsOrURL(&req, allowURLs); problem != "" {
		return req, problem
	}
	s.spaces()
	if s.take(";") {
		marker, problem := s.marker()
		if problem != "" {
			return req, problem
		}
		req.Marker = marker
	}
	s.spaces()
	if s.rest != "" {
		return req, "cannot read " + quoteStart(s.rest)
	}
	return req, ""
}

// startProblem explains why nothing that starts like text can be a requirement.
func startProblem(text string) string {
	switch {
	case text == "":
		return "it is empty"
	case text[0] == '-':
		return "options are not allowed here"
	case strings.HasPrefix(text, "/"), strings.HasPrefix(text, "."):
		return "paths are not allowed"
	}
	return "a package name starts with a letter or a digit"
}

func (s *scanner) extras(req *Requirement) string {
	if !s.take("[") {
		return ""
	}
	s.spaces()
	for !s.take("]") {
		extra, ok := s.identifier()
		if !ok {
			return "the extras in [...] must be names separated by commas"
		}
		req.Extras = append(req.Extras, NormalizeName(extra))
		s.spaces()
		if s.take(",") {
			s.spaces()
		} else if !strings.HasPrefix(s.rest, "]") {
			return "the extras in [...] must be names separated by commas"
		}
	}
	slices.Sort(req.Extras)
	req.Extras = slices.Compact(req.Extras)
	return ""
}

func (s *scanner) versionsOrURL(req *Requirement, allowURLs bool) string {
	if s.take("@") {
		return s.reference(req, allowURLs)
	}
	bracket := s.take("(")
	s.spaces()
	if problem := s.specifiers(req); problem != "" {
		return problem
	}
	if bracket && !s.take(")") {
		return "the version in parentheses is not closed"
	}
	return ""
}

func (s *scanner) specifiers(req *Requirement) string {
	for {
		op := s.takeOne("===", "==", "~=", "!=", "<=", ">=", "<", ">")
		if op == "" {
			if len(req.Specifiers) > 0 {
				return "a comma must be followed by another version"
			}
			return ""
		}
		s.spaces()
		version := s.while(isVersionByte)
		if !validVersion(op, version) {
			return "cannot read the version after " + op
		}
		req.Specifiers = append(req.Specifiers, op+strings.ToLower(version))
		s.spaces()
		if !s.take(",") {
			break
		}
		s.spaces()
	}
	slices.Sort(req.Specifiers)
	req.Specifiers = slices.Compact(req.Specifiers)
	return ""
}

func (s *scanner) reference(req *Requirement, allowURLs bool) string {
	if !allowURLs {
		return "direct references are not allowed unless allow_urls is set: --allow-urls, image.allow_urls, or allow_urls=True of with_pip_packages or ImageConfig in Python"
	}
	s.spaces()
	git := s.take(gitPrefix)
	raw := s.while(func(c byte) bool { return c > ' ' && c < 0x7f && !strings.ContainsRune("\"'<>\\^`{|}", rune(c)) })
	u, err := url.Parse(raw)
	if err != nil || u.Scheme != "https" || u.Hostname() == "" {
		return "a direct reference must be an https or git+https URL"
	}
	if u.User != nil {
		return "a direct reference must not carry credentials"
	}
	if req.URL = raw; git {
		req.URL = gitPrefix + raw
	}
	return ""
}

// NormalizeName gives the PEP 503 form of a package name: lower case, with
// every run of '-', '_' and '.' as one '-'.
func NormalizeName(name string) string {
	fields := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return strings.ContainsRune("-_.", r) })
	return strings.Join(fields, "-")
}

// versionPattern is the public version of PEP 440 in its permissive form.
var versionPattern = lazyregexp.New(`^(?i)v?([0-9]+!)?[0-9]+(\.[0-9]+)*` +
	`([-_.]?(alpha|beta|preview|pre|a|b|c|rc)[-_.]?[0-9]*)?` +
	`(-[0-9]+|[-_.]?(post|rev|r)[-_.]?[0-9]*)?([-_.]?dev[-_.]?[0-9]*)?` +
	`(\+[a-z0-9]+([-_.][a-z0-9]+)*)?$`)

func validVersion(op, version string) bool {
	if op == "===" {
		return version != "" && version[0] != '-'
	}
	if op == "==" || op == "!=" {
		version = strings.TrimSuffix(version, ".*")
	}
	return versionPattern().MatchString(version)
}
