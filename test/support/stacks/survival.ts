/** The containers whose changes sessions must survive, as the long test and the bench declare them. */
import type { DevContainer, SshGateway } from "@drawbridge-iac/drawbridge";
import { byGateway, testContainer, type testNamespace } from "../lab/cluster.ts";

/** Rounds of ten changed containers each: two come, two go, two open a port, four get other keys. */
export const rounds = 10;

export interface Declared {
  readonly port?: number;
  readonly furtherKey?: string;
}

/**
 * What is declared in a round; round 0 is the beginning.
 * @param keys public keys that take turns as each container's second one
 */
export function declaredIn(round: number, keys: readonly string[]): Record<string, Declared> {
  const furtherKey = keys[round % keys.length] ?? "";
  const port = 8000 + round;
  return {
    base: { furtherKey },
    "edited-a": { port },
    "edited-b": { port },
    "keys-a": { furtherKey },
    "keys-b": { furtherKey },
    "keys-c": { furtherKey },
    [`new-${round}-a`]: {},
    [`new-${round}-b`]: {},
  };
}

interface Surroundings {
  readonly team: string;
  readonly namespace: ReturnType<typeof testNamespace>;
  readonly gateway: SshGateway;
  /** Namespace of the original design's gateway. */
  readonly seeds: string;
  readonly publicKey: string;
}

/** Makes the declared containers; returns `base`, which holds the sessions. */
export function survivalContainers(
  declared: Readonly<Record<string, Declared>>,
  { team, namespace, gateway, seeds, publicKey }: Surroundings,
): DevContainer | undefined {
  const [base] = Object.entries(declared).map(([name, { port, furtherKey }]) =>
    testContainer(
      name,
      {
        namespace: team,
        access: byGateway(gateway),
        wait: name === "base",
        stopWarningSeconds: 0,
        pod: { terminationGracePeriodSeconds: 5 },
        // Each session holds two processes of sshd's and a shell.
        ...(name === "base" ? { resources: { requests: { cpu: "20m" }, memory: "2Gi" } } : {}),
        authorizedKeys: [publicKey, ...(furtherKey === undefined ? [] : [furtherKey])],
        ...(port === undefined ? {} : { ports: [{ name: "web", port, throughGateway: true }] }),
        ingress: [{ namespace: seeds, ports: [22] }],
      },
      [namespace],
    ),
  );
  return base;
}
