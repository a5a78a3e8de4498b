package cli

import (
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
)

// imageFlags declare an image; run and image build share them.
type imageFlags struct {
	spec    api.ImageSpec
	network string
	args    []string
	secrets []string
}

func (f *imageFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVarP(&f.spec.Packages, "package", "p", nil, "Python `PACKAGE` to install, with an optional version (PEP 508); repeatable")
	flags.StringArrayVar(&f.spec.SystemPackages, "apt", nil, "Debian `PACKAGE` to install; repeatable")
	flags.StringArrayVar(&f.spec.Commands, "setup", nil, "shell `COMMAND` to run as root while the image is built; repeatable")
	flags.StringVar(&f.network, "build-network", "", "none, public, or the `DOMAINS` that the image build may reach beside package indexes, with commas; the default is what the engine allows for --setup, and none for packages")
	completeFlag(cmd, "build-network", oneOf(networks))
	flags.BoolVar(&f.spec.AllowURLs, "allow-urls", false, "let packages be URLs: 'NAME @ https://...', 'NAME @ git+https://...'")
	flags.StringVar(&f.spec.IndexURL, "index-url", "", "take Python packages from the index `URL` only, and from those of --extra-index-url")
	flags.StringArrayVar(&f.spec.ExtraIndexURLs, "extra-index-url", nil, "take Python packages that the index `URL` has from there; repeatable, the first counts")
	flags.StringVar(&f.spec.Ref, "image", "", "use the image `REF`: registry reference, path of an OCI layout or archive, or of a Dockerfile or a compose file of one service to build")
	flags.StringArrayVar(&f.args, "build-arg", nil, "value of an ARG of the Dockerfile as `NAME=VALUE`, or NAME to take it from here; repeatable")
	flags.StringArrayVar(&f.secrets, "build-secret", nil, "stored secret for the mounts of the Dockerfile as `ID=NAME`, or NAME if that is its id; repeatable")
	flags.StringVar(&f.spec.Target, "build-target", "", "`STAGE` of the Dockerfile to build; the default is the last")
	flags.StringVar(&f.spec.Base, "base", "", "build on the image `REF`, or on debian or debian:SUITE")
	flags.StringVar(&f.spec.Python, "python", "", "`VERSION` of Python, such as 3.12")
	flags.StringVar(&f.spec.Registry, "registry", "", "look for the built image in `REGISTRY` first, and push it there")
	flags.StringVar(&f.spec.RegistrySecret, "registry-secret", "", "stored secret `NAME` with user:password for pull and push")
}

// given is what the flags say. Paths are made absolute, for what reads them
// may work elsewhere.
func (f *imageFlags) given() (api.ImageSpec, error) {
	spec := f.spec
	if f.network != "" {
		network, err := parseNetwork("build-network", f.network)
		if err != nil {
			return spec, err
		}
		spec.Network = &network
	}
	args, err := parseEnv("--build-arg", f.args, os.LookupEnv)
	if err != nil {
		return spec, err
	}
	if len(args) > 0 {
		spec.BuildArgs = args
	}
	spec.BuildSecrets = buildSecrets(f.secrets)
	return spec.Absolute(".")
}

// buildSecrets reads which stored secret has which id in a Dockerfile.
func buildSecrets(flags []string) map[string]string {
	if len(flags) == 0 {
		return nil
	}
	out := map[string]string{}
	for _, flag := range flags {
		id, name, ok := strings.Cut(flag, "=")
		if !ok {
			name = id
		}
		out[id] = name
	}
	return out
}
