import { parseArgs } from "../kit/args-error.ts";
import { frpServerSchema } from "./args.ts";
import { deriveServerCertificate } from "./certificate.ts";
import { type FrpServerPlan, planFrpServer } from "./plan.ts";

export const seed = "a seed that is long enough for a test";

/** An frp server's arguments for tests, as parsed. */
export function serverArgs(args: Record<string, unknown> = {}) {
  return parseArgs("FrpServer", "frp", frpServerSchema, {
    domain: "ssh.example.com",
    seed,
    authorizer: { image: "programs:1" },
    egress: { apiServer: [{ cidr: "192.0.2.10/32" }] },
    loadBalancer: { preset: "generic" },
    ...args,
  });
}

/** That server's plan. */
export const serverPlan = (args?: Record<string, unknown>): FrpServerPlan =>
  planFrpServer("frp", serverArgs(args));

/** What a container is told of that server, as its `ref` says it. */
export const serverRef = {
  serverAddr: "frp.frp.svc.cluster.local",
  caBundle: deriveServerCertificate(seed, "frp/frp", ["frp.frp.svc.cluster.local"]).caBundle,
  address: "192.0.2.7",
  domain: "ssh.example.com",
  authorizer: { namespace: "frp", serviceAccountName: "frp" },
};
