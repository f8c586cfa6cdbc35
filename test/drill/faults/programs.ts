/** Programs of the control plane and of a node: killed, after which the lab starts them again, and frozen for a while. */
import { labLayout } from "@drawbridge-iac/lab";
import { eventually, run } from "../../../scripts/lib/lab/lab.ts";
import { lab, labNodes } from "../../support/lab/nodes.ts";
import { programPid } from "../../support/lab/processes.ts";
import { istiodAnswers } from "../../support/stacks/gateways.ts";
import { type Fault, nothing } from "../fault.ts";
import { picked } from "../schedule.ts";

const apiServerAnswers = () =>
  eventually(
    "the API server",
    async () => (await run("kubectl", ["get", "--raw", "/readyz"])).code === 0,
    120,
  );

interface Program {
  /** Name of the file that runs. */
  readonly file: string;
  /** Says that it works again, beside that the platform is whole. */
  works(): Promise<unknown>;
  /** A folder that stands in its arguments, and what the record calls it. */
  find(pick: number): Promise<{ folder: string; target: string }>;
}

const once = (file: string, works: Program["works"] = apiServerAnswers): Program => ({
  file,
  works,
  find: async () => ({ folder: labLayout(lab).root, target: file }),
});

const onNode = (file: string): Program => ({
  file,
  works: apiServerAnswers,
  async find(pick) {
    const { name, layout } = picked(await labNodes(), pick);
    return { folder: layout.config, target: `${file} on ${name}` };
  },
});

const programs: Readonly<Record<string, Program>> = {
  istiod: once("pilot-discovery", istiodAnswers),
  "api-server": once("kube-apiserver"),
  etcd: once("etcd"),
  "controller-manager": once("kube-controller-manager"),
  scheduler: once("kube-scheduler"),
  coredns: once("coredns"),
  kubelet: onNode("kubelet"),
  containerd: onNode("containerd"),
  "kube-proxy": onNode("kube-proxy"),
};

export const programFaults: readonly Fault[] = Object.entries(programs).flatMap(
  ([name, { file, works, find }]): Fault[] => [
    {
      name: `${name}-killed`,
      lasts: [0, 0],
      async inject(pick) {
        const { folder, target } = await find(pick);
        const old = programPid(folder, file);
        process.kill(old, "SIGKILL");
        const heal = async () => {
          await eventually(`another ${name}`, async () => programPid(folder, file) !== old, 60);
          await works();
        };
        return { target, mayEnd: nothing, heal };
      },
    },
    {
      name: `${name}-frozen`,
      lasts: [3, 20],
      async inject(pick) {
        const { folder, target } = await find(pick);
        const pid = programPid(folder, file);
        process.kill(pid, "SIGSTOP");
        const heal = async () => {
          process.kill(pid, "SIGCONT");
          await works();
        };
        return { target, mayEnd: nothing, heal };
      },
    },
  ],
);
