/** Lets everybody reach a helper's pod in a team's namespace, where nothing is reached without a policy that says so. */
export const reachedByAll = (
  name: string,
  namespace: string,
  matchLabels: Readonly<Record<string, string>>,
) => ({
  apiVersion: "networking.k8s.io/v1",
  kind: "NetworkPolicy",
  metadata: { name, namespace },
  spec: { podSelector: { matchLabels }, policyTypes: ["Ingress"], ingress: [{}] },
});
