/**
 * Ordinary web traffic beside bulk copies: a gateway of its own for SSH against the mesh's ingress for both. Each proxy has
 * a limit of processor time, so that the copies fill a proxy and not the machine that all of this shares.
 */
import { Agent, get } from "node:http";
import { SshGateway } from "@drawbridge-iac/drawbridge";
import { byGateway, noLimits, testContainer, testNamespace } from "../../support/lab/cluster.ts";
import { eventually, Laptop } from "../../support/lab/lab.ts";
import { withCleanup } from "../cleanup.ts";
import type { Samples, Scenario } from "../scenario.ts";
import { startIngress } from "../support/ingress.ts";
import { quantile, Recorder, wait } from "../support/samples.ts";
import { benchStack, joinedOutput } from "../support/stack.ts";

const edge = "bench-isolation-edge";
const ssh = "bench-isolation-ssh";
const team = "bench-isolation";
const site = "web.example.com";
const rounds = 5;
const phaseSeconds = 6;
const requestsPerSecond = 200;
const copies = 2;
const cipher = "aes128-gcm@openssh.com";
const copyMiB = 64;
/**
 * What a proxy may take. Envoy carries two gigabytes a second on one core, and ssh far less on two: with a tenth of a core
 * a proxy is full long before the machine is.
 */
const proxyResources = {
  requests: { cpu: "100m", memory: "128Mi" },
  limits: { cpu: "100m", memory: "1024Mi" },
};
/** A request that takes longer is lost to whoever waits for a page. */
const answerTimeoutSeconds = 5;

/** One request's time in seconds; undefined if it got no answer, or not in time. */
function request(agent: Agent, host: string): Promise<number | undefined> {
  const began = performance.now();
  return new Promise((resolve) => {
    const lost = () => resolve(undefined);
    const signal = AbortSignal.timeout(answerTimeoutSeconds * 1000);
    get({ host, agent, headers: { host: site }, signal }, (answer) => {
      const seconds = () => (answer.statusCode === 200 ? (performance.now() - began) / 1000 : undefined);
      answer.resume().on("end", () => resolve(seconds()));
      answer.on("error", lost);
    }).on("error", lost);
  });
}

/** Asks at a fixed rate, whether answers come or not: a slow answer must not slow the questions. */
async function askFor(seconds: number, agent: Agent, host: string): Promise<(number | undefined)[]> {
  const began = performance.now();
  const answers: Promise<number | undefined>[] = [];
  for (let sent = 0; sent < seconds * requestsPerSecond; sent++) {
    const due = began + (sent * 1000) / requestsPerSecond;
    const early = due - performance.now();
    if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
    answers.push(request(agent, host));
  }
  return Promise.all(answers);
}

/** Copies until told to stop; the result is how many bytes came per second. */
function copyWhile(laptop: Laptop, host: string): { stop(): Promise<number> } {
  const began = performance.now();
  let going = true;
  let done = 0;
  const loops = Array.from({ length: copies }, async () => {
    while (going) {
      const { code, stderr } = await laptop.scp(["-c", cipher, `${host}:bulk`, "/dev/null"], 300);
      if (code !== 0) throw new Error(`scp from ${host} ended with code ${code}: ${stderr.trim()}`);
      done += 1;
    }
  });
  return {
    async stop() {
      going = false;
      await Promise.all(loops);
      return (done * copyMiB * 1024 * 1024) / ((performance.now() - began) / 1000);
    },
  };
}

async function run(progress: (line: string) => void): Promise<Samples> {
  return withCleanup(async (later) => {
    const laptop = await Laptop.create("isolation");
    later(() => laptop.remove());
    const address = await startIngress(edge, site, later, proxyResources);
    const { stack } = await benchStack(later, async () => {
      const namespace = testNamespace(team);
      const attached = new SshGateway("bench-attached", {
        domain: "shared.example.com",
        existing: { namespace: edge, selector: { istio: edge }, address },
      });
      const separate = new SshGateway(ssh, {
        domain: "separate.example.com",
        replicas: 1,
        connectionLimits: noLimits,
        resources: proxyResources,
        loadBalancer: { preset: "generic" },
      });
      const container = (name: string, gateway: SshGateway) =>
        testContainer(
          name,
          { namespace: team, access: byGateway(gateway), authorizedKeys: [laptop.publicKey] },
          [namespace],
        );
      const both = [container("drawbridge", separate), container("shared", attached)];
      return {
        sshConfig: both.map(({ sshConfig }) => sshConfig),
        knownHosts: both.map(({ knownHosts }) => knownHosts),
      };
    }, [team]);
    const { outputs } = await stack.up();
    await laptop.configure(joinedOutput(outputs, "sshConfig"), joinedOutput(outputs, "knownHosts"));
    for (const host of ["drawbridge", "shared"]) {
      const fill = `truncate -s ${copyMiB}M bulk`;
      await eventually(`a login to ${host}`, async () => (await laptop.ssh([host, fill])).code === 0, 180);
    }
    const agent = new Agent({ keepAlive: true });
    later(async () => agent.destroy());
    await askFor(2, agent, address);

    const recorder = new Recorder();
    for (let round = 1; round <= rounds; round++) {
      for (const rival of ["no copies", "drawbridge", "shared"]) {
        const bulk = rival === "no copies" ? undefined : copyWhile(laptop, rival);
        // The copies are in full flow before anything counts.
        await wait(1);
        const answers = await askFor(phaseSeconds, agent, address);
        const times = answers.filter((seconds) => seconds !== undefined);
        recorder.add(rival, "lost", answers.length - times.length);
        recorder.add(rival, "p50", quantile(times, 0.5));
        recorder.add(rival, "p99", quantile(times, 0.99));
        if (bulk !== undefined) recorder.add(rival, "copied_per_second", await bulk.stop());
      }
      progress(`round ${round} of ${rounds}`);
    }
    return recorder.samples;
  });
}

export const isolation: Scenario = {
  name: "isolation",
  title: `HTTP on the mesh's ingress (${requestsPerSecond} requests a second) while ${copies} scp run, each proxy with ${proxyResources.limits.cpu} of processor time: a gateway of its own for SSH, or the ingress for both`,
  run,
};
