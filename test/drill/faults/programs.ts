/** Programs of the control plane and of a node: killed, after which the lab starts them again, and frozen for a while. */
import { eventually, run } from "../../../scripts/lib/lab/lab.ts";
import { labNodes } from "../../support/lab/nodes.ts";
import { programPid, systemPid } from "../../support/lab/processes.ts";
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
  /** Says that it works again, beside that the platform is whole. */
  works(): Promise<unknown>;
  /** Its process now, and what the record calls it. */
  find(pick: number): Promise<{ pid: () => Promise<number>; target: string }>;
}

const once = (file: string, works: Program["works"] = apiServerAnswers): Program => ({
  works,
  find: async () => ({ pid: () => systemPid(file), target: file }),
});

const onNode = (file: string): Program => ({
  works: apiServerAnswers,
  async find(pick) {
    const { name, layout } = picked(await labNodes(), pick);
    return { pid: async () => programPid(layout.config, file), target: `${file} on ${name}` };
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
  ([name, { works, find }]): Fault[] => [
    {
      name: `${name}-killed`,
      lasts: [0, 0],
      async inject(pick) {
        const { pid, target } = await find(pick);
        const old = await pid();
        process.kill(old, "SIGKILL");
        const heal = async () => {
          await eventually(`another ${name}`, async () => (await pid()) !== old, 60);
          await works();
        };
        return { target, mayEnd: nothing, heal };
      },
    },
    {
      name: `${name}-frozen`,
      lasts: [3, 20],
      async inject(pick) {
        const found = await find(pick);
        const [pid, { target }] = [await found.pid(), found];
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
