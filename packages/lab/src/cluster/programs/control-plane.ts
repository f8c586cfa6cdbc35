import { join } from "node:path";
import type { KubeClient } from "../../kube/client.ts";
import { addresses, clusterDomain } from "../addresses.ts";
import type { Plan } from "../plan.ts";
import type { Program } from "../supervisor/keeper.ts";
import { accepts, httpOk } from "../supervisor/probes.ts";

/** Only the API server talks to it, inside the instance's own network namespace: plain HTTP on loopback. */
const etcdUrl = "http://127.0.0.1:2379";

export function etcd({ tools, layout }: Plan): Program {
  return {
    name: "etcd",
    after: [],
    command: tools.etcd,
    args: [
      `--data-dir=${layout.etcd}`,
      `--listen-client-urls=${etcdUrl}`,
      `--advertise-client-urls=${etcdUrl}`,
      "--listen-peer-urls=http://127.0.0.1:2380",
      "--log-level=warn",
      // What a lab writes need not survive a power cut, and waiting for the disk is half of its start.
      "--unsafe-no-fsync",
    ],
    ready: httpOk(`${etcdUrl}/readyz`),
  };
}

export function kubeApiServer({ tools, layout }: Plan, api: KubeClient): Program {
  const at = (file: string) => join(layout.certificates, file);
  return {
    name: "kube-apiserver",
    after: ["etcd", "network"],
    command: tools["kube-apiserver"],
    args: [
      `--advertise-address=${addresses.controlPlane}`,
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
      `--requestheader-client-ca-file=${at("ca.crt")}`,
      "--requestheader-allowed-names=front-proxy-client",
      "--requestheader-username-headers=X-Remote-User",
      "--requestheader-group-headers=X-Remote-Group",
      "--requestheader-extra-headers-prefix=X-Remote-Extra-",
      `--proxy-client-cert-file=${at("front-proxy-client.crt")}`,
      `--proxy-client-key-file=${at("front-proxy-client.key")}`,
      // The node's name resolves nowhere; exec and port-forward go to its address.
      "--kubelet-preferred-address-types=InternalIP",
      `--service-account-issuer=https://kubernetes.default.svc.${clusterDomain}`,
      `--service-account-key-file=${at("service-account.pub")}`,
      `--service-account-signing-key-file=${at("service-account.key")}`,
    ],
    ready: async () => (await api.look("/readyz")) === "ok",
  };
}

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
      // By the default of 20 it waits for itself during most of its start.
      "--kube-api-qps=1000",
      "--kube-api-burst=1000",
      "--use-service-account-credentials=true",
      `--root-ca-file=${at("ca.crt")}`,
      `--service-account-private-key-file=${at("service-account.key")}`,
      `--cluster-signing-cert-file=${at("ca.crt")}`,
      `--cluster-signing-key-file=${at("ca.key")}`,
      // Without this it would make the default folder, which belongs to the machine.
      `--flex-volume-plugin-dir=${join(layout.kubelet, "plugins-exec")}`,
    ],
    // It makes this account early, and the lab's first pod needs it.
    ready: async () => {
      await api.get({ apiVersion: "v1", kind: "ServiceAccount", namespace: "default", name: "default" });
      return true;
    },
  };
}

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
