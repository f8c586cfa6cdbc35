import { join } from "node:path";
import type { KubeClient } from "../../kube/client.ts";
import type { Plan } from "../plan.ts";
import type { Program } from "../supervisor/program.ts";

export function kubeControllerManager({ tools, layout }: Plan, api: KubeClient): Program {
  const at = (file: string) => join(layout.certificates, file);
  return {
    name: "kube-controller-manager",
    after: ["kube-apiserver"],
    command: tools["kube-controller-manager"],
    args: [
      `--kubeconfig=${join(layout.kubeconfigs, "kube-controller-manager")}`,
      "--bind-address=127.0.0.1",
      "--leader-elect=false",
      "--use-service-account-credentials=true",
      `--root-ca-file=${at("ca.crt")}`,
      `--service-account-private-key-file=${at("service-account.key")}`,
      `--cluster-signing-cert-file=${at("ca.crt")}`,
      `--cluster-signing-key-file=${at("ca.key")}`,
      // It would make the default folder on the machine.
      `--flex-volume-plugin-dir=${join(layout.kubelet, "plugins-exec")}`,
    ],
    // One of its first works, and what the first pod of a lab needs.
    ready: async () => {
      await api.get({ apiVersion: "v1", kind: "ServiceAccount", namespace: "default", name: "default" });
      return true;
    },
  };
}
