/** What several lab tests ship: a gateway with short drains, a team's namespace, small containers. */
import {
  DevContainer,
  type DevContainerArgs,
  SshGateway,
  type SshGatewayArgs,
  Team,
} from "@drawbridge-iac/drawbridge";
import { namespaceManifest } from "@drawbridge-iac/drawbridge/src/istio/data-plane";
import { teamNamespace } from "@drawbridge-iac/drawbridge/src/team/namespace";
import * as k8s from "@pulumi/kubernetes";
import type { Input, Resource } from "@pulumi/pulumi";
import { addresses } from "../../../packages/lab/src/cluster/addresses.ts";
import { imageRef } from "../../../packages/lab/src/images/index.ts";
import type { testStack } from "../../../scripts/lib/engine/engine.ts";
import { kubectl } from "../../../scripts/lib/lab/lab.ts";
import { type Certificate, tlsSecret } from "./certificates.ts";

/** Seconds an outdated listener keeps its sessions in tests; short, so that a test can outlast it. */
export const drainSeconds = 8;

/** A host key seed for tests alone. */
export const testSeed = "only-for-tests-0123456789abcdef0123456789abcdef";

export const testDomain = "dev.example.com";

/** Where the lab's pods are: tests of a container's egress try to reach some of them. */
export const podNetwork: string = addresses.pods;

/** The tests' one laptop logs in as often as many would; the limits have tests of their own. */
const many = { connectionsPerMinute: 1_000_000, burst: 1_000_000 };
export const noLimits = { perClient: many, perClientAndContainer: many };

/** A gateway of one proxy with a short drain. */
export function testGateway(
  name: string,
  args: Partial<SshGatewayArgs> = {},
  dependsOn: Resource[] = [],
): SshGateway {
  return new SshGateway(
    name,
    {
      domain: testDomain,
      replicas: 1,
      drainSeconds,
      connectionLimits: noLimits,
      resources: { requests: { cpu: "50m", memory: "128Mi" } },
      loadBalancer: { preset: "generic" },
      ...args,
    },
    { dependsOn },
  );
}

/** The way in through a gateway whose address its LoadBalancer gives. */
export const byGateway = (gateway: SshGateway) => ({ gateway });

/**
 * A team's namespace, under Pod Security "restricted" and marked.
 * @param egressAllow private networks that its pods may reach
 */
export function testNamespace(name: string, egressAllow: readonly string[] = []): Resource {
  if (allHave === "engines") {
    return new Team(name, { root: { containersInside: true }, allowedPrivateNetworks: [...egressAllow] });
  }
  const level = allHave === "root" ? "baseline" : "restricted";
  return new k8s.core.v1.Namespace(name, teamNamespace(name, egressAllow, level) as never);
}

let allHave: "root" | "engines" | undefined;

/** From here on every container of the test file has root, for a file that runs another's tests once more. */
export function giveRootToAll(): void {
  allHave = "root";
}

/** The same with containers inside, in an image that has an engine; where sshd is elsewhere, with root alone. */
export function giveEnginesToAll(): void {
  allHave = "engines";
}

/** Whether keys and files are mounted, so that a change needs no restart: not where one may mount inside. */
export function filesAreLive(): boolean {
  return allHave !== "engines";
}

function modeOf(namespace: Input<string>, ssh: DevContainerArgs["ssh"]): Partial<DevContainerArgs> {
  if (allHave === undefined) return {};
  const root = { root: true, team: { namespace, root: true } };
  const isInside = ssh?.mode === undefined || ssh.mode === "image";
  if (allHave === "root" || !isInside) return root;
  return {
    root: true,
    containersInside: true,
    team: { namespace, root: true, containersInside: true },
    image: imageRef("containers"),
    resources: { requests: { cpu: "20m" }, memory: "256Mi" },
  };
}

/**
 * A gateway's namespace that the platform made itself, with the certificate of its TLS listener. It is not a team's: in
 * such a one, the policies of any other gateway in the cluster would refuse a gateway.
 */
export function namespaceWithCertificate(
  namespace: string,
  certificate: Pick<Certificate, "cert" | "key">,
): k8s.core.v1.Secret {
  const own = new k8s.core.v1.Namespace(namespace, namespaceManifest({ namespace, labels: {} }) as never);
  return new k8s.core.v1.Secret(`server-${namespace}`, tlsSecret(namespace, "server", certificate), {
    dependsOn: own,
  });
}

/** A small container with our image. */
export function testContainer(
  name: string,
  args: Partial<DevContainerArgs> & Pick<DevContainerArgs, "authorizedKeys"> & { namespace: Input<string> },
  dependsOn: Resource[] = [],
): DevContainer {
  return new DevContainer(
    name,
    {
      image: imageRef("devcontainer"),
      hostKey: { seed: testSeed },
      home: { size: "1Gi" },
      resources: { requests: { cpu: "20m" }, memory: "128Mi" },
      ...modeOf(args.namespace, args.ssh),
      ...args,
    },
    { dependsOn },
  );
}

/**
 * Ends what a test brought up: its stack, the claims and namespaces that stacks leave, and its state.
 * @param others what else the test made, such as its laptop
 */
export async function endStack(
  made: Awaited<ReturnType<typeof testStack>> | undefined,
  namespaces: readonly string[],
  ...others: readonly ({ remove(): Promise<unknown> } | undefined)[]
): Promise<void> {
  await made?.stack.destroy();
  await kubectl(["delete", "namespace", ...namespaces, "--ignore-not-found", "--wait=false"]);
  await made?.removeState();
  for (const one of others) await one?.remove();
}
