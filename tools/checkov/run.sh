#!/bin/sh
# Runs checkov on the template with its loops expanded. checkov is not installed into .venv: it brings about 100
# packages. uv runs it from its cache, which needs a network once. Exit status: 0 no new finding, 1 new findings.
cd "$(dirname "$0")/../.." || exit 2
mkdir -p .local/checkov
.venv/bin/python -m tools.checkov >.local/checkov/template.json || exit 2
exec .venv/bin/uv tool run --quiet --from checkov==3.3.30 checkov \
    --config-file tools/checkov/config.yaml --file .local/checkov/template.json
