import type { Manifest } from "../common/manifest.ts";
import { deployment } from "../common/workload.ts";
import { proxyPod, proxyUser } from "../istio/proxy.ts";
import type { SshGatewayPlan } from "./plan.ts";

/** The gateway's proxy. */
export function gatewayDeployment(plan: SshGatewayPlan): Manifest<"Deployment"> {
  const proxy = proxyPod(plan, {
    listeners: plan.listeners,
    terminationGracePeriodSeconds: plan.terminationGracePeriodSeconds,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: proxyUser,
      runAsGroup: proxyUser,
      seccompProfile: { type: "RuntimeDefault" },
    },
    tunnels: true,
  });
  return deployment({ ...plan, ...proxy });
}
