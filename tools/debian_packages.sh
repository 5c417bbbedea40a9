#!/usr/bin/env bash
# Installs Debian packages where it may (apt-get, as root). Where it may not, it says in one line what to install.
# Usage: debian_packages.sh "the browser tests need" PACKAGE…
set -euo pipefail

purpose=$1
shift
if ! command -v apt-get >/dev/null || ((EUID != 0)); then
  echo "error: $purpose $*: install them, e.g. sudo apt-get install $*" >&2
  exit 1
fi
echo "installing $* …"
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "$@" >/dev/null
