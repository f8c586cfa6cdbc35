import { parseArgs } from "../common/args-error.ts";
import { devContainerSchema } from "../container/args.ts";
import { type DevContainerPlan, planDevContainer } from "../container/plan.ts";
import { frpServerSchema } from "./args.ts";
import { type FrpServerPlan, planFrpServer } from "./plan.ts";
import { deriveServerCertificate } from "./server-certificate.ts";

export const seed = "a seed that is long enough for a test";

/** An frp server's arguments for tests, as parsed. */
export function serverArgs(args: Record<string, unknown> = {}) {
  return parseArgs("FrpServer", "frp", frpServerSchema, {
    domainSuffix: "ssh.example.com",
    seed,
    authorizer: { image: "frp-authorizer:1" },
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
  connectHost: "192.0.2.7",
  domainSuffix: "ssh.example.com",
  authorizer: { namespace: "frp", serviceAccountName: "frp" },
};

/** A container's arguments with a way in through that server. */
export function containerArgs(frp: Record<string, unknown> = serverRef, args: Record<string, unknown> = {}) {
  return {
    namespace: "team-a",
    image: "devcontainer:1",
    authorizedKeys: [
      "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ5vTNGoYN8XmFyFTyyhbnu5zrBZKdHzrhXm7QGVaVJP alice",
    ],
    hostKey: { seed },
    ...args,
    access: { frp, ...(args.access as object | undefined) },
  };
}

/** The plan of a container with those arguments. */
export function containerPlan(
  frp?: Record<string, unknown>,
  args?: Record<string, unknown>,
): DevContainerPlan {
  return planDevContainer(
    "dev1",
    parseArgs("DevContainer", "dev1", devContainerSchema, containerArgs(frp, args)),
  );
}
