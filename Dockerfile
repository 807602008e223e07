# The server in two stages: built with the toolchain of rust-toolchain.toml, run on a small Debian.
FROM rust:1.95-slim-bookworm AS build
# SQLite is compiled from C.
RUN apt-get update \
    && apt-get install -y --no-install-recommends gcc libc6-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY . .
# The image's own toolchain is the one that rust-toolchain.toml asks for.
RUN rm rust-toolchain.toml && cargo build --release --locked --package manifold

FROM debian:bookworm-slim
# curl asks the health check.
RUN apt-get update \
    && apt-get install -y --no-install-recommends curl \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --home-dir /var/lib/manifold --create-home manifold
COPY --from=build /src/target/release/manifold /usr/local/bin/manifold
COPY config/manifold.toml /etc/manifold/manifold.toml
USER manifold
# data/manifold.db is made here when no other database is named.
WORKDIR /var/lib/manifold
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
    CMD curl --fail --silent http://127.0.0.1:4000/readyz
# SIGTERM stops in order: clocks stop, sockets are told, nothing is lost.
STOPSIGNAL SIGTERM
ENTRYPOINT ["manifold", "--config", "/etc/manifold/manifold.toml", "--listen", "0.0.0.0:4000"]
