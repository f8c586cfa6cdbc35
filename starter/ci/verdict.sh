#!/bin/sh
# ci/verdict.sh <kind> <code> <report> [<files>]: prints the comment for a pull request and ends with its verdict:
# the code of preview.sh, or 2 where there is none. It runs from the target branch, so that what it says of the report
# is true whoever wrote the report.
set -u
kind=${1:-} code=${2:-} report=${3:-} files=${4:-}

case $kind:$code in
  stack-files:[012]) ;;
  code:[012])
    # A backtick would end the code in which the names stand.
    # shellcheck disable=SC2016
    printf '> **A statement, no proof.** This pull request changes more than stack files: `%s`. Its preview was made by\n' \
      "$(printf '%s' "$files" | tr -d '`\n')"
    printf '> its own program, scripts and guard, and a program can behave differently at preview. Read the code.\n\n'
    ;;
  *)
    printf '**Not judged.** No preview of this pull request came to its end; the log of its job says why.\n\n'
    code=2
    ;;
esac
# A link would lead the comment to a file of this job. GitHub takes comments of up to 65,536 characters.
if [ -f "$report" ] && [ ! -L "$report" ]; then head -c 63000 "$report"; fi
exit "$code"
