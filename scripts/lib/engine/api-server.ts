/** A real Kubernetes API without nodes: etcd, kube-apiserver and the controllers, as processes on loopback. */
import { type ChildProcess, spawn } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { openSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { silentProgress } from "../../../packages/lab/src/progress.ts";
import { ensureTools } from "../../../packages/lab/src/tools/index.ts";
import { freePort } from "../free-port.ts";

/** A running API server. Objects are stored and controlled, but no pod ever runs. */
export interface ApiServer {
  /** Paths of kubeconfigs: an administrator's, and one of a user without any right. */
  readonly kubeconfigs: { readonly admin: string; readonly nobody: string };
  readonly adminToken: string;
  /** Where its etcd answers, in plain HTTP. */
  readonly etcd: string;
  /** The process of the API server itself. */
  readonly pid: number;
  /** Runs kubectl as the administrator; standard input may be given. Throws with its error output. */
  kubectl(args: readonly string[], input?: string): Promise<string>;
  stop(): Promise<void>;
}

/** Its programs, which can be built before the tests. */
export const apiServerTools = ["etcd", "kube-apiserver", "kube-controller-manager", "kubectl"] as const;

const readyTimeoutMs = 120_000;
const adminToken = "admin";

export async function startApiServer(): Promise<ApiServer> {
  const tools = await ensureTools(apiServerTools, silentProgress);
  const folder = await mkdtemp(join(tmpdir(), "drawbridge-api-"));
  const file = (name: string) => join(folder, name);
  const [client, peer, secure] = await Promise.all([freePort(), freePort(), freePort()]);
  const server = `https://127.0.0.1:${secure}`;
  const kubeconfigs = { admin: file("admin.kubeconfig"), nobody: file("nobody.kubeconfig") };
  const kubeconfigOf = (token: string) =>
    JSON.stringify({
      apiVersion: "v1",
      kind: "Config",
      clusters: [{ name: "bare", cluster: { server, "certificate-authority": file("apiserver.crt") } }],
      users: [{ name: "user", user: { token } }],
      contexts: [{ name: "bare", context: { cluster: "bare", user: "user" } }],
      "current-context": "bare",
    });
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  await writeFile(file("sa.key"), privateKey.export({ type: "pkcs8", format: "pem" }));
  await writeFile(file("tokens.csv"), `${adminToken},admin,1,"system:masters"\nnobody,nobody,2\n`);
  await writeFile(kubeconfigs.admin, kubeconfigOf(adminToken));
  await writeFile(kubeconfigs.nobody, kubeconfigOf("nobody"));

  const processes: ChildProcess[] = [];
  const start = (path: string, args: Record<string, string>): void => {
    const log = openSync(file(`${processes.length}.log`), "w");
    const list = Object.entries(args).map(([name, value]) => `--${name}=${value}`);
    processes.push(spawn(path, list, { stdio: ["ignore", log, log] }));
  };
  start(tools.etcd, {
    "data-dir": file("etcd"),
    "listen-client-urls": `http://127.0.0.1:${client}`,
    "advertise-client-urls": `http://127.0.0.1:${client}`,
    "listen-peer-urls": `http://127.0.0.1:${peer}`,
    // Nothing outlives the test, so nothing has to reach the disk.
    "unsafe-no-fsync": "true",
  });
  start(tools["kube-apiserver"], {
    "etcd-servers": `http://127.0.0.1:${client}`,
    "bind-address": "127.0.0.1",
    "advertise-address": "127.0.0.1",
    "secure-port": String(secure),
    "cert-dir": folder,
    "token-auth-file": file("tokens.csv"),
    "authorization-mode": "RBAC",
    // Privileged pods are for the policies to refuse.
    "allow-privileged": "true",
    "service-account-issuer": server,
    "service-account-key-file": file("sa.key"),
    "service-account-signing-key-file": file("sa.key"),
    "service-cluster-ip-range": "10.0.0.0/24,fd00:10::/112",
    "endpoint-reconciler-type": "none",
  });
  const stop = async (): Promise<void> => {
    // The last to start ends first, so that none waits for one that is gone.
    for (const process of processes.toReversed()) {
      if (process.exitCode !== null || process.signalCode !== null) continue;
      process.kill("SIGKILL");
      await once(process, "exit");
    }
    await rm(folder, { recursive: true, force: true });
  };
  const kubectl: ApiServer["kubectl"] = async (args, input) => {
    const child = spawn(tools.kubectl, ["--kubeconfig", kubeconfigs.admin, ...args]);
    // A kubectl that ends before it has read everything says why by its exit code.
    child.stdin.on("error", () => undefined).end(input ?? "");
    const [out, error, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, "close") as Promise<[number]>,
    ]);
    if (code !== 0) throw new Error(error);
    return out;
  };
  const until = async (what: string, args: readonly string[]): Promise<void> => {
    const end = performance.now() + readyTimeoutMs;
    for (;;) {
      const error = await kubectl(args).then(
        () => undefined,
        (reason: Error) => reason,
      );
      if (error === undefined) return;
      if (performance.now() > end)
        throw new Error(`${what} did not come up: ${error.message}${await lastLines()}`);
      await sleep(250);
    }
  };
  const lastLines = async (): Promise<string> => {
    const logs = await Promise.all(processes.map((_, index) => readFile(file(`${index}.log`), "utf8")));
    return logs.map((log, index) => `\n${processes[index]!.spawnfile}:\n${log.slice(-1000)}`).join("");
  };
  try {
    await until("the API server", ["get", "--raw", "/readyz"]);
    start(tools["kube-controller-manager"], {
      kubeconfig: kubeconfigs.admin,
      "leader-elect": "false",
      "secure-port": "0",
      "service-account-private-key-file": file("sa.key"),
    });

    // The default service account is the last thing to come: then the controllers work.
    await until("the controllers", ["get", "serviceaccount", "default"]);
  } catch (error) {
    await stop();
    throw error;
  }
  const pid = processes[1]?.pid ?? 0;
  return { kubeconfigs, adminToken, etcd: `http://127.0.0.1:${client}`, pid, kubectl, stop };
}
