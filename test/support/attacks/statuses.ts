/** Attacks in which a team writes what only the cluster's own programs write: status, and the node of a pod. */
import { type Act, type ApiAttack, annotate, dry, forgery, inTeam, pod, statusOf } from "./api-attack.ts";
import type { ApiObject } from "./api-user.ts";
import type { Place } from "./attack.ts";
import { suspended } from "./greedy-workloads.ts";

const balancer = (place: Place) => inTeam("v1", "Service", "stage-web", place);

/** On an object that exists; its twin changes another part of it. */
const forgedStatus = (what: string, object: (place: Place) => ApiObject, status: unknown): ApiAttack => {
  const first =
    (act: Act): Act =>
    async (user, place) => {
      const made = await user.apply(object(place));
      return made.status >= 300 ? made : act(user, place);
    };
  const attempt = first(statusOf(object, status));
  return forgery(`a forged status of ${what}`, attempt, first(annotate(object)));
};

const conditions = { conditions: [{ type: "Own", status: "True" }] };
const budget = (place: Place) => ({
  // Apart from a container's, which another twin makes.
  ...inTeam("policy/v1", "PodDisruptionBudget", "own-budget", place),
  spec: { minAvailable: 1, selector: { matchLabels: { app: "own" } } },
});
const scaler = (place: Place) => ({
  ...inTeam("autoscaling/v2", "HorizontalPodAutoscaler", "own", place),
  spec: { maxReplicas: 1, scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "none" } },
});
const device = (place: Place) => ({
  ...inTeam("resource.k8s.io/v1", "ResourceClaim", "own", place),
  spec: { devices: { requests: [{ name: "gpu", exactly: { deviceClassName: "gpu.example.com" } }] } },
});

export const forgedStatuses: readonly ApiAttack[] = [
  forgery(
    "a forged address of a pod",
    statusOf(pod, { podIP: "10.244.0.9", podIPs: [{ ip: "10.244.0.9" }] }),
  ),
  forgery(
    "a forged address of a LoadBalancer",
    statusOf(balancer, { loadBalancer: { ingress: [{ ip: "192.0.2.9" }] } }),
    annotate(balancer),
  ),
  // Its controller counts every time since then, whenever it looks: nobody's CronJobs run any more.
  forgedStatus("a CronJob that last ran in the year 1", suspended("CronJob"), {
    lastScheduleTime: "0001-01-01T00:00:01Z",
  }),
  ...(["Job", "Deployment", "StatefulSet", "ReplicationController"] as const).map((kind) =>
    forgedStatus(`a ${kind}`, suspended(kind), conditions),
  ),
  forgedStatus("a PodDisruptionBudget", budget, { disruptionsAllowed: 5, observedGeneration: 1 }),
  forgedStatus("a HorizontalPodAutoscaler", scaler, conditions),
  // Since 1.36, Kubernetes itself asks for a right on these fields; the policies hold older versions to it too.
  forgedStatus("a claim of a device", device, {}),
];

export const bindings: readonly ApiAttack[] = [
  forgery("a pod bound to a node", (user, place) => user.bind(pod(place), "node-1", dry)),
  forgery("a pod bound to a node, by the older kind", (user, place) => {
    const target = { kind: "Node", name: "node-1" };
    return user.post({ ...inTeam("v1", "Binding", "stage", place), target }, dry);
  }),
];
