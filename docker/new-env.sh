#!/usr/bin/env bash
# Makes docker/.env from .env.example, with secrets of its own. Never changes one that is there.
set -euo pipefail
cd "$(dirname "$0")"
if [ -e .env ]; then
  echo "docker/.env is there already; left as it is." >&2
  exit 0
fi
umask 077
while IFS= read -r line; do
  case $line in
    [A-Z]*_PASSWORD=) echo "$line$(od -An -N24 -tx1 /dev/urandom | tr -d ' \n')" ;;
    *) echo "$line" ;;
  esac
done <.env.example >.env.new
mv .env.new .env
echo "Wrote docker/.env with new passwords." >&2
