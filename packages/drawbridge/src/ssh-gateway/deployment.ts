import { proxyPod } from "../istio/proxy.ts";
import type { Manifest } from "../kubernetes/manifest.ts";
import { deployment } from "../kubernetes/workload.ts";
import type { SshGatewayPlan } from "./plan.ts";

/** The gateway's proxy. */
export const gatewayDeployment = (plan: SshGatewayPlan): Manifest<"Deployment"> =>
  deployment({ ...plan, ...proxyPod(plan) });
