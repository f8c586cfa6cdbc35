/** Teams as the scenarios have them. */

/** As many containers as a team of the examples has. */
export const teamSize = 50;

/** A team's namespace: a gateway takes routes from such alone. */
export function teamNamespace(name: string) {
  return { apiVersion: "v1", kind: "Namespace", metadata: { name, labels: { "drawbridge.dev/team": name } } };
}
