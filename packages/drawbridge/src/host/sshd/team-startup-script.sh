## Runs the team's own script, whose output is in a file of the home and in the pod's log.
startup_log=$HOME/.cache/drawbridge/startup.log
mkdir -p "${startup_log%/*}" 2>/dev/null || startup_log=/dev/null
{
  code=0
  (cd "$HOME" && exec @CONFIG@/startup) </dev/null 2>&1 || code=$?
  echo "the startup script ended with $code"
} | tee "$startup_log" | sed 's/^/startup: /' &
