import { X509Certificate } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { certificates, issueAll, kubeconfigOf, kubeconfigUsers } from "./credentials.ts";
import { layoutOf } from "./layout.ts";
import { planNodes } from "./nodes/plan.ts";

const nodes = planNodes(layoutOf("unit", "/state"), 2);
let folder: string;
const read = async (file: string) => new X509Certificate(await readFile(join(folder, `${file}.crt`)));

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "drawbridge-pki-"));
  await issueAll(folder, certificates(nodes));
});
afterAll(() => rm(folder, { recursive: true }));

test("every certificate is signed by the authority and is none itself", async () => {
  const authority = await read("ca");
  expect(authority.ca).toBe(true);
  for (const { file } of certificates(nodes)) {
    const certificate = await read(file);
    expect([file, certificate.verify(authority.publicKey), certificate.ca]).toEqual([file, true, false]);
  }
});

test("users and groups stand where Kubernetes reads them", async () => {
  expect((await read("kubelet")).subject).toBe("O=system:nodes\nCN=system:node:lab-node");
  expect((await read("kubelet-lab-node-2")).subject).toBe("O=system:nodes\nCN=system:node:lab-node-2");
});

test("each kubelet is a user of its own, at its own address", async () => {
  expect((await read("kubelet")).subjectAltName).toBe("DNS:lab-node, IP Address:10.201.0.1");
  expect((await read("kubelet-lab-node-2")).subjectAltName).toBe("DNS:lab-node-2, IP Address:10.201.0.2");
  expect(kubeconfigUsers(nodes).slice(-2)).toEqual(["kubelet", "kubelet-lab-node-2"]);
});

test("the API server's certificate holds every name it is called by", async () => {
  const certificate = await read("kube-apiserver");
  expect(certificate.subjectAltName).toBe(
    "DNS:kubernetes, DNS:kubernetes.default, DNS:kubernetes.default.svc, " +
      "DNS:kubernetes.default.svc.cluster.local, IP Address:10.201.0.1, IP Address:10.96.0.1, IP Address:127.0.0.1",
  );
});

test("a kubeconfig holds all it needs", () => {
  expect(JSON.parse(kubeconfigOf("admin", { ca: "A", cert: "C", key: "K" }))).toEqual({
    apiVersion: "v1",
    kind: "Config",
    clusters: [
      {
        name: "drawbridge-lab",
        cluster: { server: "https://10.201.0.1:6443", "certificate-authority-data": "QQ==" },
      },
    ],
    users: [{ name: "admin", user: { "client-certificate-data": "Qw==", "client-key-data": "Sw==" } }],
    contexts: [{ name: "drawbridge-lab", context: { cluster: "drawbridge-lab", user: "admin" } }],
    "current-context": "drawbridge-lab",
  });
});
