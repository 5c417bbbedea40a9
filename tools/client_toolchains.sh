#!/usr/bin/env bash
# What the clients' tests need beside Python: Node, TypeScript, PHP, Go and a JDK. Installs what is missing where it may (Debian, as root), and says in
# one line what to install where it may not.
set -euo pipefail

missing=()
command -v node >/dev/null || missing+=(nodejs)
command -v npm >/dev/null || missing+=(npm)
command -v php >/dev/null || missing+=(php-cli)
command -v go >/dev/null && command -v gofmt >/dev/null || missing+=(golang-go)
javac -version >/dev/null 2>&1 || missing+=(default-jdk-headless) # not `command -v`: macOS has a javac that only asks for one
if ((${#missing[@]})); then
  if ! command -v apt-get >/dev/null || ((EUID != 0)); then
    echo "error: the clients' tests need ${missing[*]}: install them, e.g. sudo apt-get install ${missing[*]}" >&2
    exit 1
  fi
  echo "installing ${missing[*]} …"
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "${missing[@]}" >/dev/null
fi

typescript="$(dirname "$0")/../tests/clients/typescript"
if [[ "$typescript/package-lock.json" -nt "$typescript/node_modules/.package-lock.json" ]]; then
  echo "installing TypeScript …"
  npm ci --silent --prefix "$typescript"
  touch "$typescript/node_modules/.package-lock.json"
fi
