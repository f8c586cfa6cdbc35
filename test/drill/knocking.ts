/** What knocks at addresses: a script, and what it must not reach from a team. */
import { addresses } from "../../packages/lab/src/cluster/addresses.ts";
import { knockingTeam, type Team, teams } from "./teams.ts";

/** What is forbidden wherever a container runs. */
export const fixed = (team: Team): string[] => [
  ...teams.filter((other) => other !== team).map((other) => `${other}.${other}.svc.cluster.local 22`),
  `${addresses.apiServerService} 443`,
  `${addresses.controlPlane} ${addresses.apiServerPort}`,
  "istiod.istio-system.svc.cluster.local 15010",
  "istiod.istio-system.svc.cluster.local 15012",
];

/** What each may reach: without it a prober that reaches nothing at all would be content. */
export const allowed = `${addresses.dnsService} 53`;
/** A line for each address that opened, for ever. */
export const knocking = (forbidden: readonly string[]) => `
knock() { timeout 1 bash -c "exec 3<>/dev/tcp/$1/$2" 2>/dev/null && echo "open $1 $2"; }
while :; do
${[...forbidden, allowed].map((door) => `  knock ${door}`).join("\n")}
  sleep 0.2
done
`;

/** Where the prober of a container that runs one by itself writes what it reached. */
export const ownLog = "knocks";

/** The program of a container that knocks from its first moment on. */
export const knockingFromTheStart: readonly string[] = [
  "bash",
  "-c",
  `cd; exec >> ${ownLog} 2>&1${knocking(fixed(knockingTeam))}`,
];
