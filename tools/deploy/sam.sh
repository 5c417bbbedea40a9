#!/usr/bin/env bash
# Runs the SAM CLI of the lock file for an environment of samconfig.toml:
#   tools/deploy/sam.sh build ENV
#   tools/deploy/sam.sh preview ENV   create the change set without executing it
#   tools/deploy/sam.sh deploy ENV
# Further arguments are passed to sam, for example --parameter-overrides.
set -euo pipefail
cd "$(dirname "$0")/../.."
export PATH="$PWD/tools/sam/.venv/bin:$PATH" SAM_CLI_TELEMETRY=0
step=$1 environment=$2
shift 2
case $step in
  build) sam build --config-env "$environment" --parallel --cached "$@" ;;
  preview) sam deploy --config-env "$environment" --no-progressbar --no-execute-changeset "$@" ;;
  deploy) sam deploy --config-env "$environment" --no-progressbar --no-confirm-changeset "$@" ;;
  *)
    echo "no step $step" >&2
    exit 2
    ;;
esac
