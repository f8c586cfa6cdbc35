## Starts the engine before sshd, as root, in the background.
@SH@ @CONFIG@/@ENGINE@ </dev/null 2>&1 | sed 's/^/containers: /' &
