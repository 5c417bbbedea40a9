#!/usr/bin/env bash
# What the browser tests need beside Python: a browser, Chinese fonts, npm for axe-core and standardwebhooks.
set -euo pipefail

missing=()
command -v "${CHROMIUM:-chromium}" >/dev/null || missing+=(chromium)
[[ -n "$(fc-list ':family=Noto Sans CJK SC' 2>/dev/null)" ]] || missing+=(fontconfig fonts-noto-cjk)
command -v npm >/dev/null || missing+=(npm)
((${#missing[@]} == 0)) || "${0%/*}/debian_packages.sh" "the browser tests need" "${missing[@]}"

# It only makes the tests faster, and not every system has it.
light=chromium-headless-shell
if [[ -z "${CHROMIUM:-}" ]] && ((EUID == 0)) && ! command -v "$light" >/dev/null && apt-cache show "$light" >/dev/null 2>&1; then
  "${0%/*}/debian_packages.sh" "faster browser tests need" "$light" 2>/dev/null ||
    echo "without $light the browser tests take longer" >&2
fi
