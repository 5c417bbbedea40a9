#!/usr/bin/env bash
# What the clients' tests need beside Python: Node, TypeScript, PHP, Go, a JDK, Maven, Ruby, Rust, and readers of the OpenAPI document.
set -euo pipefail

missing=()
command -v node >/dev/null || missing+=(nodejs)
command -v npm >/dev/null || missing+=(npm)
command -v php >/dev/null || missing+=(php-cli)
php -r 'exit(extension_loaded("curl") ? 0 : 1);' 2>/dev/null || missing+=(php-curl)
command -v composer >/dev/null || missing+=(composer)
command -v unzip >/dev/null || missing+=(unzip)
command -v curl >/dev/null || missing+=(curl)
command -v ruby >/dev/null || missing+=(ruby)
command -v go >/dev/null && command -v gofmt >/dev/null || missing+=(golang-go)
javac -version >/dev/null 2>&1 || missing+=(default-jdk-headless) # not `command -v`: macOS has a javac that only asks for one
command -v mvn >/dev/null || missing+=(maven)
command -v cargo >/dev/null || missing+=(cargo)
if command -v dpkg >/dev/null; then # Debian's Maven takes its plugins from these packages
  # cargo, too: the test of the generated Rust downloads nothing.
  for package in libmaven-{compiler,jar,resources}-plugin-java libsurefire-java librust-serde-{derive-,json-,repr-,}dev; do
    dpkg -s "$package" >/dev/null 2>&1 || missing+=("$package")
  done
fi
((${#missing[@]} == 0)) || "${0%/*}/debian_packages.sh" "the clients' tests need" "${missing[@]}"

for folder in "${0%/*}/../tests/clients/"{typescript,tools}; do
  if [[ "$folder/package-lock.json" -nt "$folder/node_modules/.package-lock.json" ]]; then
    echo "installing the packages of ${folder##*/} …"
    npm ci --silent --prefix "$folder"
    touch "$folder/node_modules/.package-lock.json"
  fi
done
