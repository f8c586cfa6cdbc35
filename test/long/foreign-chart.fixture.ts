/** Objects as from another's chart, made without drawbridge in mind: a StatefulSet with a Service and an sshd. */
import { deriveHostKey } from "@drawbridge-iac/drawbridge/src/host/keys/host-key";
import { imageRef } from "../../packages/lab/src/images/index.ts";
import { testSeed } from "../support/lab/cluster.ts";

export const boxHostKey = deriveHostKey(testSeed, "somebody's box");

/** sshd on port 2022 behind a port of the Service, and a web server of the workload's own on 8080. */
export function boxObjects(namespace: string, publicKey: string, port = 22): object[] {
  const metadata = { name: "box", namespace };
  const labels = { app: "box" };
  const security = { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } };
  const config = `Port 2022
HostKey /tmp/key
PidFile none
UsePAM no
StrictModes no
AuthorizedKeysFile /etc/box/authorized_keys
PasswordAuthentication no
Subsystem sftp internal-sftp
`;
  const start = "umask 077; cp /etc/box/key /tmp/key; exec /usr/sbin/sshd -D -e -f /etc/box/sshd_config";
  return [
    {
      apiVersion: "v1",
      kind: "Secret",
      metadata,
      stringData: { key: boxHostKey.privateKey, authorized_keys: `${publicKey}\n`, sshd_config: config },
    },
    {
      apiVersion: "v1",
      kind: "Service",
      metadata,
      spec: {
        selector: labels,
        ports: [
          { name: "ssh", port, targetPort: 2022 },
          { name: "web", port: 8080 },
        ],
      },
    },
    {
      apiVersion: "v1",
      kind: "Service",
      metadata: { ...metadata, name: "named" },
      spec: { selector: labels, clusterIP: "None", ports: [{ name: "ssh", port: 22, targetPort: 2022 }] },
    },
    {
      apiVersion: "apps/v1",
      kind: "StatefulSet",
      metadata,
      spec: {
        serviceName: "box",
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            terminationGracePeriodSeconds: 1,
            securityContext: {
              runAsNonRoot: true,
              runAsUser: 1000,
              runAsGroup: 1000,
              fsGroup: 1000,
              seccompProfile: { type: "RuntimeDefault" },
            },
            containers: [
              {
                name: "sshd",
                image: imageRef("devcontainer"),
                imagePullPolicy: "Never",
                command: ["sh", "-c", start],
                securityContext: security,
                volumeMounts: [{ name: "files", mountPath: "/etc/box" }],
              },
              {
                name: "web",
                image: imageRef("busybox"),
                imagePullPolicy: "Never",
                command: ["httpd", "-f", "-p", "8080", "-h", "/etc"],
                securityContext: security,
              },
            ],
            volumes: [{ name: "files", secret: { secretName: "box", defaultMode: 0o440 } }],
          },
        },
      },
    },
  ];
}
