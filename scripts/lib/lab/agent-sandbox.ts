/**
 * agent-sandbox beside a lab: its definitions and rights as its module has them, and its controller as a process with the
 * rights of its own service account.
 */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseAllDocuments } from "yaml";
import { silentProgress } from "../../../packages/lab/src/progress.ts";
import { ensureTools } from "../../../packages/lab/src/tools/index.ts";
import { kubeconfigWith, tokenOf } from "../stacks/deployer.ts";
import { Program } from "../stacks/frp.ts";
import { kubectl, listOf } from "./lab.ts";

/** Its programs, which can be built before the lab starts. */
export const agentSandboxTools = ["agent-sandbox-controller"] as const;

const namespace = "agent-sandbox-system";
const account = "agent-sandbox-controller";
const definition = "sandboxes.agents.x-k8s.io";

export interface AgentSandbox {
  readonly controller: Program;
  /** Removes the controller and its definitions, with all Sandboxes of the cluster. A second time does nothing. */
  stop(): Promise<void>;
}

export async function startAgentSandbox(): Promise<AgentSandbox> {
  const { "agent-sandbox-controller": program } = await ensureTools(agentSandboxTools, silentProgress);
  const files = ["agents.x-k8s.io_sandboxes", "rbac.generated", "controller"].map((name) => `${name}.yaml`);
  const texts = await Promise.all(files.map((file) => readFile(join(dirname(program), file), "utf8")));
  const all = texts.flatMap((text) => parseAllDocuments(text).map((document) => document.toJS()));
  // No Deployment, whose image would have to be built first: the controller is a process here.
  const items = all.filter(({ kind }) => kind !== "Deployment");
  const objects = listOf(items);
  await kubectl(["apply", "--server-side", "-f", "-"], objects);
  await kubectl(["wait", "--for=condition=Established", "crd", definition, "--timeout=60s"]);

  const folder = await mkdtemp(join(tmpdir(), "drawbridge-agent-sandbox-"));
  const kubeconfig = join(folder, "kubeconfig");
  await writeFile(kubeconfig, await kubeconfigWith(await tokenOf({ name: account, namespace })));
  // One controller alone needs no election, and nothing here uses its ports.
  const flags = ["--leader-elect=false", "--metrics-bind-address=0", "--health-probe-bind-address=0"];
  const controller = new Program(program, [`--kubeconfig=${kubeconfig}`, ...flags]);
  const stop = async () => {
    await controller.stop();
    await kubectl(["delete", "--ignore-not-found", "-f", "-"], objects);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await controller.says("Starting workers");
  } catch (error) {
    await stop();
    throw error;
  }
  return { controller, stop };
}
