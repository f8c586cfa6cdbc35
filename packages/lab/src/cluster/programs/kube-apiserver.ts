import { join } from "node:path";
import type { KubeClient } from "../../kube/client.ts";
import { addresses, clusterDomain } from "../addresses.ts";
import type { Plan } from "../plan.ts";
import type { Program } from "../supervisor/program.ts";
import { etcdUrl } from "./etcd.ts";

export function kubeApiServer({ tools, layout }: Plan, api: KubeClient): Program {
  const at = (file: string) => join(layout.certificates, file);
  return {
    name: "kube-apiserver",
    after: ["etcd", "network"],
    command: tools["kube-apiserver"],
    args: [
      `--advertise-address=${addresses.node}`,
      `--secure-port=${addresses.apiServerPort}`,
      `--etcd-servers=${etcdUrl}`,
      `--service-cluster-ip-range=${addresses.services}`,
      "--allow-privileged=true",
      "--authorization-mode=Node,RBAC",
      // Pod Security, ValidatingAdmissionPolicy and the webhooks are on by default.
      "--enable-admission-plugins=NodeRestriction",
      `--client-ca-file=${at("ca.crt")}`,
      `--tls-cert-file=${at("kube-apiserver.crt")}`,
      `--tls-private-key-file=${at("kube-apiserver.key")}`,
      `--kubelet-certificate-authority=${at("ca.crt")}`,
      `--kubelet-client-certificate=${at("kube-apiserver-to-kubelet.crt")}`,
      `--kubelet-client-key=${at("kube-apiserver-to-kubelet.key")}`,
      // The node's name resolves nowhere; exec and port-forward go to its address.
      "--kubelet-preferred-address-types=InternalIP",
      `--service-account-issuer=https://kubernetes.default.svc.${clusterDomain}`,
      `--service-account-key-file=${at("service-account.pub")}`,
      `--service-account-signing-key-file=${at("service-account.key")}`,
    ],
    ready: async () => (await api.look("/readyz")) === "ok",
  };
}
