/** Programs of the control plane: killed, after which the lab starts them again, and frozen for a while. */
import { labLayout } from "@drawbridge-iac/lab";
import { istiodAnswers } from "../../support/gateways.ts";
import { eventually, run } from "../../support/lab.ts";
import { lab } from "../../support/nodes.ts";
import { programPid } from "../../support/processes.ts";
import { type Fault, nothing } from "../fault.ts";

const apiServerAnswers = () =>
  eventually(
    "the API server",
    async () => (await run("kubectl", ["get", "--raw", "/readyz"])).code === 0,
    120,
  );

/** Name of the file that runs, and what says that it works again. */
const programs: Readonly<Record<string, { file: string; works: () => Promise<unknown> }>> = {
  istiod: { file: "pilot-discovery", works: istiodAnswers },
  "api-server": { file: "kube-apiserver", works: apiServerAnswers },
  etcd: { file: "etcd", works: apiServerAnswers },
  "controller-manager": { file: "kube-controller-manager", works: apiServerAnswers },
  scheduler: { file: "kube-scheduler", works: apiServerAnswers },
  coredns: { file: "coredns", works: apiServerAnswers },
};

const pidOf = (file: string) => programPid(labLayout(lab).root, file);

export const programFaults: readonly Fault[] = Object.entries(programs).flatMap(([name, { file, works }]) => [
  {
    name: `${name}-killed`,
    lasts: [0, 0],
    async inject() {
      const old = pidOf(file);
      process.kill(old, "SIGKILL");
      const heal = async () => {
        await eventually(`another ${name}`, async () => pidOf(file) !== old, 60);
        await works();
      };
      return { target: name, mayEnd: nothing, heal };
    },
  },
  {
    name: `${name}-frozen`,
    lasts: [3, 20],
    async inject() {
      const pid = pidOf(file);
      process.kill(pid, "SIGSTOP");
      const heal = async () => {
        process.kill(pid, "SIGCONT");
        await works();
      };
      return { target: name, mayEnd: nothing, heal };
    },
  },
]);
