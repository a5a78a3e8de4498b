package e2b

import (
	"encoding/json"
	"net/http"
	"net/netip"
	"slices"

	"github.com/glovebox-dev/glovebox/api"
)

// networkConfig says what a sandbox reaches, and who reaches it.
type networkConfig struct {
	Internet           *bool          `json:"allowInternetAccess,omitempty"` // not within it, where a client makes a sandbox
	AllowPublicTraffic *bool          `json:"allowPublicTraffic,omitempty"`
	AllowOut           []string       `json:"allowOut,omitempty"`
	DenyOut            []string       `json:"denyOut,omitempty"`
	MaskRequestHost    string         `json:"maskRequestHost,omitempty"`
	Rules              map[string]any `json:"rules,omitempty"`
	EgressProxy        any            `json:"egressProxy,omitempty"`
}

// network returns what a client asks for in two places, as one.
func (in *newSandbox) network() (networkConfig, error) {
	n := networkConfig{}
	if in.Network != nil {
		n = *in.Network
	}
	n.Internet = in.AllowInternetAccess
	if len(n.Rules) > 0 || n.EgressProxy != nil {
		return n, badRequest("this server changes no requests on their way out: there are neither rules nor an egress proxy")
	}
	return n, nil
}

// allTraffic are the ranges that mean every address.
var allTraffic = []string{"0.0.0.0/0", "::/0"}

// policy returns the network of a session. What is denied beside everything cannot
// be said there, and is refused: a sandbox must not reach it.
func (n networkConfig) policy() (api.Network, error) {
	none := n.Internet != nil && !*n.Internet
	for _, denied := range n.DenyOut {
		if !slices.Contains(allTraffic, denied) {
			return api.Network{}, badRequest("denyOut is " + denied + ": this server denies everything, or nothing but private addresses")
		}
		none = true
	}
	if !none {
		return api.Network{Public: true}, nil
	}
	for _, allowed := range n.AllowOut {
		if prefix, err := netip.ParsePrefix(allowed); err == nil && !prefix.IsSingleIP() {
			return api.Network{}, badRequest("allowOut is " + allowed + ": this server allows hosts by name or by address")
		}
	}
	return api.Network{Allow: n.AllowOut}, nil
}

// label notes what a session does not know of itself.
func (n networkConfig) label(labels map[string]string) {
	if n.AllowPublicTraffic != nil && !*n.AllowPublicTraffic {
		labels[labelPrivate] = set
	}
	if n.MaskRequestHost != "" {
		labels[labelMask] = n.MaskRequestHost
	}
	if text, err := json.Marshal(n); err == nil && string(text) != "{}" {
		labels[labelNetwork] = string(text)
	}
}

// networkOf returns what was asked for of a sandbox, nil if nothing.
func networkOf(s *api.Session) *networkConfig {
	text := s.Spec.Labels[labelNetwork]
	if text == "" {
		return nil
	}
	var n networkConfig
	if json.Unmarshal([]byte(text), &n) != nil {
		return nil
	}
	return &n
}

// updateNetwork replaces what a running sandbox reaches. A field that is left out
// is cleared; who reaches the sandbox stays.
func (f *Face) updateNetwork(w http.ResponseWriter, r *http.Request) error {
	in := struct {
		networkConfig
		Internet *bool `json:"allow_internet_access"`
	}{}
	if err := readJSON(w, r, &in); err != nil {
		return err
	}
	s, err := f.live(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	n, err := (&newSandbox{Network: &in.networkConfig, AllowInternetAccess: in.Internet}).network()
	if err != nil {
		return err
	}
	policy, err := n.policy()
	if err != nil {
		return err
	}
	if was := networkOf(s); was != nil {
		n.AllowPublicTraffic, n.MaskRequestHost = was.AllowPublicTraffic, was.MaskRequestHost
	}
	labels := map[string]string{labelNetwork: ""}
	n.label(labels)
	if _, err := f.Sessions.ChangeSession(r.Context(), s.ID, api.SessionChange{Network: &policy, Labels: labels}); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
