#!/usr/bin/env bash
# Runs the SAM CLI of the lock file for an environment of samconfig.toml:
#   tools/deploy/sam.sh build ENV
#   tools/deploy/sam.sh preview ENV   create the change set without executing it, and print it
#   tools/deploy/sam.sh deploy ENV    create the change set and execute it
# Further arguments are passed to sam, for example --parameter-overrides. If EXECUTION_ROLE_ARN is set, CloudFormation uses
# this role. In GitHub Actions a preview sets the output change_set, which tools/deploy/change_set.py executes.
set -euo pipefail
cd "$(dirname "$0")/../.."
export PATH="$PWD/tools/sam/.venv/bin:$PATH" SAM_CLI_TELEMETRY=0
step=$1 environment=$2
shift 2
role=(${EXECUTION_ROLE_ARN:+--role-arn "$EXECUTION_ROLE_ARN"})
case $step in
  build) sam build --config-env "$environment" --parallel --cached "$@" ;;
  preview)
    sam deploy --config-env "$environment" --no-progressbar --no-execute-changeset "${role[@]}" "$@" |
      awk -v output="${GITHUB_OUTPUT:-/dev/null}" '
        { print; fflush() }
        match($0, /arn:[^ ]*:changeSet[^ ]*/) { found = substr($0, RSTART, RLENGTH) }
        END { if (found) print "change_set=" found >> output }'
    ;;
  deploy) sam deploy --config-env "$environment" --no-progressbar --no-confirm-changeset "${role[@]}" "$@" ;;
  *)
    echo "no step $step" >&2
    exit 2
    ;;
esac
