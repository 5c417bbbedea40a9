#!/usr/bin/env bash
# What DynamoDB Local needs: a Java runtime, and npm to fetch it.
set -euo pipefail

missing=()
java -version >/dev/null 2>&1 || missing+=(default-jre-headless) # not `command -v`: macOS has a java that only asks for one
command -v npm >/dev/null || missing+=(npm)
((${#missing[@]} == 0)) || "${0%/*}/debian_packages.sh" "DynamoDB Local needs" "${missing[@]}"
