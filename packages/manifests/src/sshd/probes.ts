/** Probes by a program that looks for the listening port: a connection would fill sshd's log. */

/** Ready once sshd listens; a new pod is looked at every second so that `up` ends soon. */
export function sshdProbes(program: readonly string[], port: number) {
  const listening = { exec: { command: [...program, String(port)] } };
  return {
    startupProbe: { ...listening, periodSeconds: 1, failureThreshold: 120 },
    readinessProbe: { ...listening, periodSeconds: 10, failureThreshold: 3 },
  };
}
