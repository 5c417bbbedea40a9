#!/bin/sh
# Asks OSV (https://osv.dev) for known vulnerabilities of every locked library. It needs a network.
# Exit status: 0 nothing is known, 1 something is known, 2 OSV could not be asked.
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
exit "$worst"
