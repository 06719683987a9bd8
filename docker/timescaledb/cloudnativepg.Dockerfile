# PostgreSQL 17 with TimescaleDB (Apache-2 edition) for the operator CloudNativePG, from Debian's own packages. The operator brings the
# program that makes, starts and watches the server, so there is no entrypoint, volume or health check; it expects uid 26.
#   docker build -t registry.example.com/peerlens/timescaledb-cloudnativepg:17 -f docker/timescaledb/cloudnativepg.Dockerfile docker/timescaledb
# The tag must begin with the version of PostgreSQL: the operator reads it there.
# BASE: another image of Debian trixie, such as one of your own registry, or this one with its digest.
ARG BASE=debian:trixie-slim
FROM ${BASE}

# Debian has a group 26 already, which the operator runs the server with and which owns nothing.
RUN groupadd --system postgres \
 && useradd --system --uid 26 --gid postgres --home-dir /var/lib/postgresql --shell /bin/bash postgres \
 && mkdir -p /etc/postgresql-common/createcluster.d \
 && echo "create_main_cluster = false" > /etc/postgresql-common/createcluster.d/no-cluster.conf \
 && apt-get update \
 && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends ca-certificates postgresql-17 postgresql-17-timescaledb \
 && rm -rf /var/lib/apt/lists/*

ENV PATH=/usr/lib/postgresql/17/bin:$PATH \
    LANG=C.UTF-8
USER 26
