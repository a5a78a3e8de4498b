package cli

import (
	"strconv"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/host"
)

// maxLabelLimits bounds what each run is held against.
const maxLabelLimits = 32

// parseLabelLimits reads flags that are each NAME=VALUE:N.
func parseLabelLimits(flags []string) (limits []host.LabelLimit, err error) {
	if len(flags) > maxLabelLimits {
		return nil, usage("there are %d of --label-limit, and at most %d are possible", len(flags), maxLabelLimits)
	}
	known := map[string]bool{}
	for _, flag := range flags {
		cut := strings.LastIndex(flag, ":")
		label, number := flag, ""
		if cut >= 0 {
			label, number = flag[:cut], flag[cut+1:]
		}
		name, text, found := strings.Cut(label, "=")
		most, err := strconv.Atoi(number)
		if !found || err != nil || most < 1 {
			return nil, usage("--label-limit %s is no limit", flag).hint("write: --label-limit NAME=VALUE:N, such as db=main:3, with a number from 1 on")
		}
		if known[label] {
			return nil, usage("--label-limit gives %s two limits", label).hint("give each label once")
		}
		if err := api.RunLabels.Check(map[string]string{name: text}); err != nil {
			return nil, usage("--label-limit %s: %s", flag, api.AsError(err).Message)
		}
		known[label] = true
		limits = append(limits, host.LabelLimit{Name: name, Value: text, Most: most})
	}
	return limits, nil
}
