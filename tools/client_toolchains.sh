#!/usr/bin/env bash
# What the clients' tests need beside Python: Node, TypeScript, PHP, Go and a JDK.
set -euo pipefail

missing=()
command -v node >/dev/null || missing+=(nodejs)
command -v npm >/dev/null || missing+=(npm)
command -v php >/dev/null || missing+=(php-cli)
command -v go >/dev/null && command -v gofmt >/dev/null || missing+=(golang-go)
javac -version >/dev/null 2>&1 || missing+=(default-jdk-headless) # not `command -v`: macOS has a javac that only asks for one
((${#missing[@]} == 0)) || "${0%/*}/debian_packages.sh" "the clients' tests need" "${missing[@]}"

typescript="${0%/*}/../tests/clients/typescript"
if [[ "$typescript/package-lock.json" -nt "$typescript/node_modules/.package-lock.json" ]]; then
  echo "installing TypeScript …"
  npm ci --silent --prefix "$typescript"
  touch "$typescript/node_modules/.package-lock.json"
fi
