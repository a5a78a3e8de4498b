package image

import (
	"context"
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
)

// tools are in every built image.
func tools() []string { return []string{"ca-certificates", "curl", "g++", "gcc", "git", "make"} }

// missingTools are those that the base does not have, and Python with them if
// there is none at all.
func (b *build) missingTools() []string {
	missing := slices.DeleteFunc(tools(), b.info.has)
	if b.info.Python == "" {
		missing = append(missing, "python3", "python3-dev", "python3-venv")
	}
	return missing
}

// aptOptions make apt use the cell's proxy, do without its own user, and leave
// nothing behind that depends on the day.
func (b *build) aptOptions() []string {
	proxy := "http://" + cell.ProxyAddress
	out := []string{
		"-q", "-y", "-o", "Acquire::http::Proxy=" + proxy, "-o", "Acquire::https::Proxy=" + proxy,
		"-o", "Acquire::Languages=none", "-o", "Acquire::Retries=2", "-o", "APT::Sandbox::User=root",
		"-o", "Dpkg::Use-Pty=0", "-o", "Dpkg::Options::=--force-unsafe-io", "-o", "APT::Install-Recommends=false",
	}
	if _, ok := b.s.certificates(); ok {
		out = append(out, "-o", "Acquire::https::CAInfo="+cell.CertificatesFile)
	}
	return out
}

// aptStep installs Debian packages.
func (b *build) aptStep(kind string, packages []string) step {
	return step{kind: kind, text: strings.Join(packages, " "), run: func(ctx context.Context, c *stepCell) ([]Package, error) {
		if !b.info.APT {
			return nil, api.Errorf(api.InvalidTask, "base %s has no apt, so system packages cannot be installed: %s", b.base.Base.Ref, strings.Join(packages, ", ")).
				WithHint("use a base of Debian or Ubuntu, or leave out the system packages").
				WithDetails(api.Details{Field: "image.system_packages"})
		}
		return nil, c.aptInstall(ctx, packages)
	}}
}

func (c *stepCell) aptInstall(ctx context.Context, packages []string) error {
	apt := append([]string{"/usr/bin/apt-get"}, c.b.aptOptions()...)
	r, err := c.exec(ctx, nil, append(slices.Clone(apt), "update")...)
	if err != nil {
		return err
	}
	if r.Code != 0 {
		return diagnoseApt(r.log, r.Exit)
	}
	// Slim bases lack the directory, and what links manuals there fails, as Java does.
	if _, err := c.exec(ctx, nil, "/bin/mkdir", "-p", "/usr/share/man/man1"); err != nil {
		return err
	}
	install := append(append(slices.Clone(apt), "install", "--no-install-recommends", "--no-remove", "--"), packages...)
	if r, err = c.exec(ctx, nil, install...); err != nil {
		return err
	}
	if r.Code != 0 {
		return c.suggestSystem(ctx, diagnoseApt(r.log, r.Exit))
	}
	return c.aptClean(ctx)
}

// aptClean removes what apt keeps for itself: lists, archives and logs.
func (c *stepCell) aptClean(ctx context.Context) error {
	r, err := c.exec(ctx, nil, "/bin/sh", "-c",
		"rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/cache/debconf/*-old /var/lib/dpkg/*-old /var/log/apt /var/log/dpkg.log /var/log/alternatives.log")
	if err == nil && r.Code != 0 {
		err = api.Errorf(api.BuildFailed, "cleaning up after apt ended with status %d", r.Code).WithDetails(api.Details{Log: r.log, ExitCode: r.Code})
	}
	return err
}
