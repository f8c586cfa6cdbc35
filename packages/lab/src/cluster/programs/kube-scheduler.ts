import { join } from "node:path";
import type { Plan } from "../plan.ts";
import { accepts } from "../supervisor/probes.ts";
import type { Program } from "../supervisor/program.ts";

export function kubeScheduler({ tools, layout }: Plan): Program {
  return {
    name: "kube-scheduler",
    after: ["kube-apiserver"],
    command: tools["kube-scheduler"],
    args: [
      `--kubeconfig=${join(layout.kubeconfigs, "kube-scheduler")}`,
      "--bind-address=127.0.0.1",
      "--leader-elect=false",
    ],
    ready: accepts({ host: "127.0.0.1", port: 10259 }),
  };
}
