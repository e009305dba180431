#!/usr/bin/env bash
# Measures the gateway beside nginx in the same run. Usage: bench/run.sh [--quick]
set -euo pipefail
cd "$(dirname "$0")/.."
missing=()
for package in nginx-light:nginx wrk:wrk openssl:openssl python3:python3 curl:curl; do
    command -v "${package#*:}" >/dev/null || missing+=("${package%%:*}")
done
if ((${#missing[@]})); then
    echo "bench: installing ${missing[*]}"
    as_root=()
    [ "$(id -u)" = 0 ] || as_root=(sudo)
    "${as_root[@]}" apt-get update -qq
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "${missing[@]}" >/dev/null
fi
echo "bench: building in release mode (a few minutes the first time)"
swift build -c release --static-swift-stdlib --product passgate 2>&1 | tail -1
exec python3 bench/bench.py "$@"
