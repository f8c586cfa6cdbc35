#!/bin/sh
# ci/verdict.sh <kind> <code> <report> [<files> <code of program.sh> <what it printed>]: prints the comment for a pull
# request and ends with its verdict: the worst of the codes of preview.sh and program.sh, or 2 where one is missing. It
# runs from the target branch, so that what it says of the report is true whoever wrote the report.
set -u
kind=${1:-} code=${2:-} report=${3:-} files=${4:-} program=${5:-} started=${6:-}

case $kind:$code:$program in
  stack-files:[012]:*) ;;
  code:[012]:[012])
    # A backtick would end the code in which the names stand.
    # shellcheck disable=SC2016
    printf '> **A statement, no proof.** This pull request changes more than stack files: `%s`. Its preview was made by\n' \
      "$(printf '%s' "$files" | tr -d '`\n')"
    printf '> its own program, scripts and guard, and a program can behave differently at preview. Read the code.\n\n'
    if [ "$program" -gt "$code" ]; then code=$program; fi
    ;;
  *)
    printf '**Not judged.** No preview of this pull request came to its end; the log of its job says why.\n\n'
    code=2
    ;;
esac
# A link would lead the comment to a file of this job. GitHub takes comments of up to 65,536 characters.
show() {
  if [ -s "$1" ] && [ ! -L "$1" ]; then head -c "$2" "$1"; fi
}
if [ "$kind" = code ]; then show "$started" 21000; fi
show "$report" 42000
exit "$code"
