#!/usr/bin/env bash
# What DynamoDB Local needs: a Java runtime, and npm to fetch it. Installs what is missing where it may (Debian, as root), and says in
# one line what to install where it may not.
set -euo pipefail

missing=()
java -version >/dev/null 2>&1 || missing+=(default-jre-headless) # not `command -v`: macOS has a java that only asks for one
command -v npm >/dev/null || missing+=(npm)
((${#missing[@]})) || exit 0

if ! command -v apt-get >/dev/null || ((EUID != 0)); then
  echo "error: DynamoDB Local needs ${missing[*]}: install them, e.g. sudo apt-get install ${missing[*]}" >&2
  exit 1
fi
echo "installing ${missing[*]} …"
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "${missing[@]}" >/dev/null
