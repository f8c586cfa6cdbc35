/** When the platform is whole again, as Kubernetes sees it. */
import { eventually, getObject, kubectl } from "../support/lab.ts";
import { labNodes, livingPods, readyAgain } from "../support/nodes.ts";
import { repair } from "./repair.ts";
import { frpServer, gateway, proxies, storage, storageProxy, storageTeam, teams } from "./teams.ts";

/** Seconds: a lost node's disk is let go after some 20, and a pod of ours starts within a few. */
const bound = 180;

/** Namespace and name of each. */
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
  for (const [namespace, name] of deployments) await deploymentReady(namespace, name);
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

export async function deploymentReady(namespace: string, name: string): Promise<void> {
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
  const settled = async () => {
    const { metadata, spec, status } = await getObject<Deployment>(["-n", namespace, `deployment/${name}`]);
    // Those that stop are pods still, and a proxy's sessions live as long.
    const pods = ["-n", namespace, "pods", "-l", `app.kubernetes.io/instance=${name}`];
    const { items } = await getObject<{ items: unknown[] }>(pods);
    const counts = [status.replicas, status.updatedReplicas, status.readyReplicas, items.length];
    return (
      status.observedGeneration === metadata.generation && counts.every((count) => count === spec.replicas)
    );
  };
  await eventually(`the pods of ${name}`, settled, bound);
}
