/** When the platform is whole again, as Kubernetes sees it. */
import { eventually, getObject, kubectl } from "../../scripts/lib/lab/lab.ts";
import { labNodes, livingPods, readyAgain } from "../support/lab/nodes.ts";
import { repair } from "./repair.ts";
import { frpServer, gateway, proxies, storage, storageProxy, storageTeam, teams } from "./teams.ts";

/** Seconds: a lost node's disk is let go after some 20, and a pod of ours starts within a few. */
const bound = 180;

/** Namespace and instance of each. */
const deployments = [
  [gateway, gateway],
  [frpServer, frpServer],
  [storageProxy, storageProxy],
  [storageTeam, storage],
] as const;

/** Waits for all of it. */
export async function whole(): Promise<void> {
  for (const { name } of await labNodes()) await readyAgain(name);
  await containersReady();
  for (const [namespace, instance] of deployments) await deploymentReady(namespace, instance);
}

/** Takes away what is left of faults, and waits. */
export async function makeWhole(): Promise<void> {
  await repair();
  await scaleGateway(proxies);
  await whole();
}

export async function scaleGateway(replicas: number): Promise<void> {
  await kubectl(["-n", gateway, "scale", `deployment/${gateway}`, `--replicas=${replicas}`]);
}

export async function containersReady(): Promise<void> {
  for (const team of teams) {
    const ready = async () => (await livingPods(team, `app.kubernetes.io/instance=${team}`)).length === 1;
    await eventually(`the pod of ${team}`, ready, bound);
  }
}

/** Waits for the pods of the one Deployment of an instance. */
export async function deploymentReady(namespace: string, instance: string): Promise<void> {
  type Deployment = {
    metadata: { generation: number };
    status: {
      observedGeneration: number;
      replicas: number;
      updatedReplicas?: number;
      readyReplicas?: number;
    };
    spec: { replicas: number };
  };
  const own = ["-n", namespace, "-l", `app.kubernetes.io/instance=${instance}`];
  const settled = async () => {
    const [{ items: deployments }, { items: pods }] = await Promise.all([
      getObject<{ items: Deployment[] }>([...own, "deployments"]),
      // Those that stop are pods still, and a proxy's sessions live as long.
      getObject<{ items: unknown[] }>([...own, "pods"]),
    ]);
    const [{ metadata, spec, status }] = deployments as [Deployment];
    const counts = [status.replicas, status.updatedReplicas, status.readyReplicas, pods.length];
    return (
      status.observedGeneration === metadata.generation && counts.every((count) => count === spec.replicas)
    );
  };
  await eventually(`the pods of ${instance}`, settled, bound);
}
