/** When the platform is whole again, as Kubernetes sees it. */
import { eventually, getObject } from "../support/lab.ts";
import { livingPods } from "../support/nodes.ts";
import { gateway, teams } from "./platform.ts";

/** Seconds: a lost node's disk is let go after some 20, and a pod of ours starts within a few. */
const bound = 180;

export async function containersReady(): Promise<void> {
  for (const team of teams) {
    const ready = async () => (await livingPods(team, `app.kubernetes.io/instance=${team}`)).length === 1;
    await eventually(`the pod of ${team}`, ready, bound);
  }
}

export async function proxiesReady(): Promise<void> {
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
    const { metadata, spec, status } = await getObject<Deployment>(["-n", gateway, `deployment/${gateway}`]);
    const counts = [status.replicas, status.updatedReplicas, status.readyReplicas];
    return (
      status.observedGeneration === metadata.generation && counts.every((count) => count === spec.replicas)
    );
  };
  await eventually("the gateway's proxies", settled, bound);
}
