# The image of a release: the static program of .github/workflows/release.yml,
# certificates, and what makes a base image from a Debian mirror where no
# registry can be reached.
FROM debian:trixie-slim

ARG TARGETARCH

RUN apt-get update \
 && apt-get install --yes --no-install-recommends ca-certificates mmdebstrap uidmap \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --uid 10001 --create-home --home-dir /var/lib/glovebox --shell /usr/sbin/nologin glovebox \
 && chmod 700 /var/lib/glovebox

COPY --chmod=755 out/glovebox-linux-${TARGETARCH} /usr/local/bin/glovebox
COPY LICENSE NOTICE /usr/share/doc/glovebox/

LABEL org.opencontainers.image.title="Glovebox" \
      org.opencontainers.image.description="Runs unreviewed code" \
      org.opencontainers.image.source="https://github.com/glovebox-dev/glovebox" \
      org.opencontainers.image.licenses="Apache-2.0"

USER 10001:10001
ENV GLOVEBOX_HOME=/var/lib/glovebox
VOLUME /var/lib/glovebox
ENTRYPOINT ["glovebox"]
CMD ["doctor"]
