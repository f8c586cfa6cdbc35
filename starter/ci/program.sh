#!/bin/sh
# ci/program.sh <commit>: prints what merging a commit would change of what starts the program (Pulumi.yaml, plugins, lock
# files), and ends with 0 (nothing), 1 (refused) or 2 (not judged). It runs from the target branch with the target's guard,
# and reads the pull request as data. What was accepted comes in GUARD_ACCEPT.
set -u
stop() {
  echo "program.sh: $1" >&2
  exit 2
}
guard=node_modules/@drawbridge-iac/preview-guard/bin/drawbridge-preview-guard.cjs
[ -f "$guard" ] || stop "there is no $guard; run npm ci"
tree=$(git merge-tree --write-tree HEAD "${1:-}") || stop "the commit cannot be merged"
work=$(mktemp -d) || stop "no temporary folder can be made"
trap 'rm -rf "$work"' EXIT
# Not by `git archive`: a commit says itself what that leaves out.
for side in HEAD "$tree"; do
  export GIT_INDEX_FILE="$work/index"
  git read-tree "$side" || stop "$side cannot be read"
  git checkout-index --all --prefix="$work/$side/" || stop "$side cannot be written"
done
printf '%s\n' "${GUARD_ACCEPT:-}" >"$work/accept.yaml"
set -- --base "$work/HEAD" --project "$work/$tree" --limit 20000 --report "$work/report.md"
if [ -n "${GUARD_ACCEPT:-}" ]; then set -- "$@" --accept-file "$work/accept.yaml"; fi
node "$guard" "$@" >&2
code=$?
[ -s "$work/report.md" ] || stop "the guard said nothing"
if [ "$code" -ne 0 ]; then cat "$work/report.md"; fi
exit "$code"
