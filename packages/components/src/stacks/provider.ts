import * as k8s from "@pulumi/kubernetes";

/** The cluster of the current kubeconfig. */
export function clusterProvider(): k8s.Provider {
  return new k8s.Provider("cluster", {
    // Authorized keys and configuration change in place; a replaced object would be another one.
    enableConfigMapMutable: true,
    enableSecretMutable: true,
    // With the default of 50 requests a second the preview of a big stack waits for the client, not the cluster.
    kubeClientSettings: { qps: 500, burst: 1000 },
  });
}
