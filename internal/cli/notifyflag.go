package cli

import (
	"net/netip"
	"net/url"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
)

// parseNotify reads SECRET=URL and SECRET:EVENTS=URL.
func parseNotify(list []string) ([]api.Notify, error) {
	var receivers []api.Notify
	for _, text := range list {
		who, address, found := strings.Cut(text, "=")
		if !found {
			return nil, usage("--notify %s names no secret", text).hint("write it as SECRET=URL, such as runs-hook=https://example.com/runs")
		}
		n := api.Notify{URL: address}
		var events string
		if n.Secret, events, found = strings.Cut(who, ":"); found {
			for event := range strings.SplitSeq(events, ",") {
				n.Events = append(n.Events, api.NotifyEvent(event))
			}
		}
		receivers = append(receivers, n)
	}
	return receivers, api.CheckNotify(receivers)
}

// notifyNeed begins the note that a server is missing.
const notifyNeed = "notifications are delivered only"

// parsePrefixes reads addresses and networks.
func parsePrefixes(list []string) ([]netip.Prefix, error) {
	var prefixes []netip.Prefix
	for _, text := range list {
		prefix, err := netip.ParsePrefix(text)
		if addr, alone := netip.ParseAddr(text); alone == nil && addr.Zone() == "" {
			prefix, err = netip.PrefixFrom(addr, addr.BitLen()), nil
		}
		if err != nil {
			return nil, usage("--notify-allow %s is no address", text).hint("give one such as 127.0.0.1, or a network such as 10.1.0.0/16")
		}
		prefixes = append(prefixes, prefix.Masked())
	}
	return prefixes, nil
}

func checkPublicURL(text string) error {
	if text == "" {
		return nil
	}
	u, err := url.Parse(text)
	if err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" && u.User == nil && u.RawQuery == "" && u.Fragment == "" {
		return nil
	}
	return usage("--public-url %s is no address of a server", text).hint("give one such as https://glovebox.example.org, with a path if a proxy puts the page below one")
}
