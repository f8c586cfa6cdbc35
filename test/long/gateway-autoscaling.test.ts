/** A gateway's HorizontalPodAutoscaler, by the figures of the real metrics-server, under SSH sessions. */
import { spawn } from "node:child_process";
import { dirname } from "node:path";
import { SshGateway } from "@drawbridge-iac/drawbridge";
import { ensureImages, ensureTools, lineProgress, loadImage } from "@drawbridge-iac/lab";
import { afterAll, beforeAll, expect, it } from "vitest";
import { testStack } from "../../scripts/lib/engine/engine.ts";
import {
  type CounterSession,
  eventually,
  getObject,
  kubectl,
  Laptop,
  must,
} from "../../scripts/lib/lab/lab.ts";
import { byGateway, endStack, testContainer, testNamespace } from "../support/lab/cluster.ts";
import { closeAll, openCounters, proxyPods, tunnelsIn } from "../support/stacks/gateways.ts";

const team = "team-scaled";
const name = "gw-scaled";
let laptop: Laptop;
let stack: Awaited<ReturnType<typeof testStack>>;
let metricsServer: string;

beforeAll(async () => {
  const [{ "metrics-server": program }, { "metrics-server": image }] = await Promise.all([
    ensureTools(["metrics-server"], lineProgress()),
    ensureImages(["metrics-server"], lineProgress()),
  ]);
  await loadImage(process.env.DRAWBRIDGE_LAB ?? "", image.tar);
  // Upstream's manifest; kubelet's certificate is of the cluster's own authority.
  metricsServer = (await must("kubectl", ["kustomize", dirname(program)]))
    .replace(/image: .*/, `image: ${image.ref}`)
    .replace(
      "- --metric-resolution=15s",
      "$&\n        - --kubelet-certificate-authority=/var/run/secrets/kubernetes.io/serviceaccount/ca.crt",
    );
  await kubectl(["apply", "-f", "-"], metricsServer);

  laptop = await Laptop.create();
  stack = await testStack(async () => {
    const gateway = new SshGateway(name, {
      domain: "scaled.example.com",
      drainSeconds: 300,
      loadBalancer: { preset: "generic" },
      autoscaling: { minReplicas: 1, maxReplicas: 2, targetCPUUtilizationPercentage: 50 },
      resources: { requests: { cpu: "100m", memory: "128Mi" } },
    });
    const access = { access: byGateway(gateway), authorizedKeys: [laptop.publicKey] };
    const { sshConfig, knownHosts } = testContainer("base", { namespace: team, ...access }, [
      testNamespace(team),
    ]);
    return { sshConfig, knownHosts };
  });
  const { outputs } = await stack.stack.up();
  await laptop.configure(outputs.sshConfig?.value as string, outputs.knownHosts?.value as string);
  await laptop.login("base");
});

afterAll(async () => {
  await endStack(stack, [team], laptop);
  await kubectl(["delete", "--ignore-not-found", "-f", "-"], metricsServer);
});

const scaled = async () => {
  type Scaler = { status: { desiredReplicas?: number; currentReplicas?: number } };
  const { status } = await getObject<Scaler>(["-n", name, "horizontalpodautoscaler", name]);
  return status.desiredReplicas;
};

it("starts a proxy when those there are busy, ends it when they are idle, and no session ends", async () => {
  const sessions: CounterSession[] = await openCounters(laptop, "base", 4);
  try {
    const busy = spawn("ssh", ["-F", laptop.configFile, "base", "cat /dev/zero"], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    busy.stdout.resume();
    try {
      await eventually("another proxy", async () => (await scaled()) === 2, 300);
      await kubectl(["-n", name, "rollout", "status", `deployment/${name}`, "--timeout=120s"]);
      sessions.push(...(await openCounters(laptop, "base", 10)));
    } finally {
      busy.kill();
    }
    const before = new Map<string, number>();
    for (const pod of await proxyPods(name)) before.set(pod.name, await tunnelsIn(name, pod.name));
    // Half an hour by default, which no test waits for.
    const soon = { spec: { behavior: { scaleDown: { stabilizationWindowSeconds: 15 } } } };
    await kubectl(["-n", name, "patch", "hpa", name, "--type=merge", "-p", JSON.stringify(soon)]);
    const leaving = await eventually(
      "a proxy that leaves",
      async () => (await proxyPods(name)).find(({ stoppedAt }) => stoppedAt !== undefined),
      300,
    );
    // It has sessions, and they go on.
    expect(before.get(leaving.name)).toBeGreaterThan(0);
    const lines = sessions.map((session) => session.lines.length);
    await Promise.all(sessions.map((session, index) => session.reached((lines[index] ?? 0) + 20)));
    expect(sessions.filter((session) => session.alive && session.unbroken).length).toBe(14);
    expect(await scaled()).toBe(1);
    console.log(
      `1 to 2 to 1 proxies: 14 sessions unbroken, ${before.get(leaving.name)} on the one that left`,
    );
  } finally {
    await closeAll(sessions);
  }
});
