#!/bin/sh
# Asks OSV (https://osv.dev) for known vulnerabilities of every locked Python library, and the npm registry for those of
# every locked npm package. It needs a network.
# Exit status: 0 nothing is known, 1 something is known, 2 one of them could not be asked.
cd "$(dirname "$0")/.." || exit 2
worst=0
for project in . tools/sam; do
    said=$(.venv/bin/uv audit --frozen --preview-features audit-command --project "$project" \
        ${OSV_URL:+--service-url "$OSV_URL"} 2>&1)
    status=$?
    if [ "$status" -gt 1 ] && printf '%s' "$said" | grep -q 'error sending request'; then
        echo 'audit: api.osv.dev cannot be reached; this check needs a network' >&2
        exit 2
    fi
    printf '%s/uv.lock: %s\n' "$project" "$said"
    [ "$status" -gt "$worst" ] && worst=$status
done
# Packages of tests only; npm ends with 1 for a vulnerability and for a registry that does not answer.
for project in tests/browser tests/clients/typescript; do
    said=$(npm audit --package-lock-only --fetch-retries=0 --prefix "$project" 2>&1)
    status=$?
    if ! printf '%s' "$said" | grep -q 'vulnerabilit'; then
        echo 'audit: the npm registry cannot be asked; this check needs a network' >&2
        exit 2
    fi
    printf '%s/package-lock.json: %s\n' "$project" "$said"
    [ "$status" -gt "$worst" ] && worst=$status
done
exit "$worst"
