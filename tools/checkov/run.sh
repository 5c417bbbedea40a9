#!/bin/sh
# Lets checkov look at the template with its loops written out. checkov is not installed into .venv: it brings about 100
# packages. uv runs it from its cache, which needs a network once. Exit status: 0 nothing new is found, 1 something is.
cd "$(dirname "$0")/../.." || exit 2
mkdir -p .local/checkov
.venv/bin/python -m tools.checkov >.local/checkov/template.json || exit 2
exec .venv/bin/uv tool run --quiet --from checkov==3.3.30 checkov \
    --config-file tools/checkov/config.yaml --file .local/checkov/template.json
