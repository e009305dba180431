#!/usr/bin/env bash
# Measures the gateway beside its yardsticks in the same run. Usage: bench/run.sh [--quick] [--only NAME]... [--list]
set -euo pipefail
cd "$(dirname "$0")/.."
missing=()
for package in nginx-light:nginx wrk:wrk openssl:openssl python3:python3 curl:curl golang-go:go nodejs:node; do
    PATH="$PATH:/usr/sbin" command -v "${package#*:}" >/dev/null || missing+=("${package%%:*}")
done
.ci/setup python3-venv postgresql "${missing[@]}"
echo "bench: building in release mode (a few minutes the first time)"
swift build -c release --static-swift-stdlib --product passgate 2>&1 | tail -1
exec python3 bench/run.py "$@"
