import { Readable } from "node:stream";
import type { V1Namespace, V1NetworkPolicy, V1Pod } from "@kubernetes/client-node";
import type { KubeClient } from "../../kube/client.ts";
import { Mirror, worker } from "../../kube/watch.ts";
import { execWithInput } from "../host/processes.ts";
import { Desk, givenOutFolder } from "./given-out.ts";
import { endpointsOf, ownerless, standIns } from "./peers.ts";
import { ruleset } from "./ruleset.ts";

/**
 * Enforces NetworkPolicy in the network namespace of the node that this runs on, as a CNI plugin does elsewhere. This is an
 * aid of the lab for tests. A pod gets its address when the rules for it are in place, see `given-out.ts`.
 */
export function enforcePolicies(api: KubeClient, lookEveryMs?: number): void {
  let applied = "";
  const { wake } = worker("network policy", async () => {
    if (![namespaces, pods, policies].every(({ listed }) => listed)) return;
    const asked = desk.all;
    // A policy may be older than a new pod and yet arrive here after it, since each kind has a watch of its own.
    const waiting = desk.waiting(asked);
    const isCurrent =
      waiting.length > 0 &&
      (await Promise.all([policies, namespaces].map((one) => one.isCurrent()))).every(Boolean);
    const endpoints = endpointsOf(pods.items, asked);
    const script = ruleset(
      endpoints,
      policies.items,
      {
        namespaces: new Map(
          namespaces.items.map(({ metadata }) => [metadata?.name ?? "", metadata?.labels ?? {}]),
        ),
        endpoints: [...endpoints, ...standIns],
      },
      ownerless(asked, endpoints),
    );
    if (script !== applied) await runNft(script);
    applied = script;
    if (isCurrent) desk.answer(waiting);
  });
  const desk = new Desk(givenOutFolder, wake, lookEveryMs);
  const namespaces = new Mirror<V1Namespace>(api, { apiVersion: "v1", kind: "Namespace" }, wake);
  const pods = new Mirror<V1Pod>(api, { apiVersion: "v1", kind: "Pod" }, wake);
  const policies = new Mirror<V1NetworkPolicy>(
    api,
    { apiVersion: "networking.k8s.io/v1", kind: "NetworkPolicy" },
    wake,
  );
}

/** All of the script takes effect, or nothing of it. */
async function runNft(script: string): Promise<void> {
  const { code, complaint } = await execWithInput(["nft", "-f", "-"], Readable.from(script));
  if (code !== 0) throw new Error(`nft refused the rules: ${complaint.trim()}`);
}
