#!/bin/sh
# ci/preview.sh <stack> …: previews each stack, has the guard judge it, and writes report.md. Ends with the worst of
# 0 (nothing dangerous), 1 (dangerous) and 2 (not judged). The guard's files come in variables that no pull request can
# write: what was accepted, each with its last day, in GUARD_ACCEPT, and what the platform knows in GUARD_BOUNDS.
set -u
stop() {
  echo "preview.sh: $1" >&2
  exit 2
}
[ $# -gt 0 ] || stop "give the names of one or more stacks"

# By its path, not by its name: PATH may hold another.
package=node_modules/@drawbridge-iac/preview-guard
guard=$package/bin/drawbridge-preview-guard.cjs
[ -f "$guard" ] || stop "there is no $package; add @drawbridge-iac/preview-guard to package.json and run npm ci"

work=$(mktemp -d) || stop "no temporary folder can be made"
trap 'rm -rf "$work"' EXIT
printf '%s\n' "${GUARD_ACCEPT:-}" >"$work/accept.yaml"
printf '%s\n' "${GUARD_BOUNDS:-}" >"$work/bounds.yaml"
# The beginning of a log as code in a comment: nothing in it ends the code, and nothing in it is not seen.
shown() {
  # shellcheck disable=SC2016 # Markdown's backticks
  printf '````text\n%s\n````\n' "$(head -c 10000 "$1" | node -e '
    const text = require("node:fs").readFileSync(0, "utf8").replaceAll("`", "\u0027");
    console.log(text.replace(/(?![\n\t])[\p{C}\p{Zl}\p{Zp}\p{DI}]/gu, "\ufffd"));
  ')"
}
# All reports together fit into one comment.
limit=$((60000 / $#))
[ "$limit" -ge 1000 ] || limit=1000

worst=0
rm -f report.md
for stack in "$@"; do
  : >"$work/report.md"
  pulumi preview --stack "$stack" --json --show-sames --non-interactive >"$work/preview.json" 2>"$work/pulumi.log"
  pulumi=$?
  cat "$work/pulumi.log" >&2
  set -- --pulumi-exit-code "$pulumi" --limit "$limit" --report "$work/report.md" --stacks .
  if [ -n "${GUARD_ACCEPT:-}" ]; then set -- "$@" --accept-file "$work/accept.yaml"; fi
  if [ -n "${GUARD_BOUNDS:-}" ]; then set -- "$@" --bounds "$work/bounds.yaml"; fi
  node "$guard" "$@" "$work/preview.json" >/dev/null 2>"$work/guard.log"
  code=$?
  judged=$code
  cat "$work/guard.log" >&2
  # A guard that was killed, or fell over before its report, has judged nothing; nor has one that takes a failed preview
  # for a good one.
  case $code in 0 | 1) [ -s "$work/report.md" ] || code=2 ;; *) code=2 ;; esac
  if [ "$pulumi" -ne 0 ] && [ "$code" -eq 0 ]; then code=2; fi
  {
    printf '# %s\n\n' "$stack"
    cat "$work/report.md"
    if [ ! -s "$work/report.md" ]; then printf '**Not judged.** The guard ended with %s:\n\n' "$judged" && shown "$work/guard.log"; fi
    # Without any JSON the reason stands nowhere else.
    if [ ! -s "$work/preview.json" ]; then printf 'Pulumi ended with %s:\n\n' "$pulumi" && shown "$work/pulumi.log"; fi
    echo
  } >>report.md
  if [ "$code" -gt "$worst" ]; then worst=$code; fi
done
cat report.md
exit "$worst"
