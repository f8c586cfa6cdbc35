#!/bin/sh
# ci/preview.sh <stack> …: previews each stack and writes report.md. Ends with 1 if the guard refuses a change, with 2 if
# a preview cannot be read. Accepted dangers, each with its last day, come in GUARD_ALLOW: "volume-lost:2026-12-31".
set -u
if [ $# -eq 0 ]; then
  echo "preview.sh: give the names of one or more stacks" >&2
  exit 2
fi
outcome=0
# All reports together fit into one comment.
limit=$((60000 / $#))
: >report.md
for stack in "$@"; do
  printf '# %s\n\n' "$stack" >>report.md
  pulumi preview --stack "$stack" --json --non-interactive >"preview-$stack.json" || true
  set --
  for allowed in ${GUARD_ALLOW:-}; do set -- "$@" --allow "$allowed"; done
  npx --no-install drawbridge-preview-guard --limit "$limit" "$@" "preview-$stack.json" >>report.md 2>"guard-$stack.log"
  code=$?
  if [ "$code" -eq 2 ]; then
    printf 'The preview failed: %s\n' "$(cat "guard-$stack.log")" >>report.md
  fi
  if [ "$code" -gt "$outcome" ]; then outcome=$code; fi
done
cat report.md
exit "$outcome"
