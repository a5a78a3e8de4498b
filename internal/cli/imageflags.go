package cli

import (
	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
)

// imageFlags declare an image; run and image build share them.
type imageFlags struct {
	spec    api.ImageSpec
	network string
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
	flags.StringVar(&f.spec.Ref, "image", "", "use the prebuilt image `REF`: registry reference, or path of an OCI layout or archive")
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
	return spec.Absolute(".")
}
