/** frp as its own documents set it up: an frps with a CONNECT port, an frpc that registers one name there. */
import { imageRef } from "../../../packages/lab/src/images/index.ts";
import { apply, getObject, kubectl } from "../../../scripts/lib/lab/lab.ts";
import { sinkPort } from "../support/sink.ts";

/** The name that frpc registers. */
export const frpName = "idle.frp.example.com";

const server = ["bindPort = 7000", "tcpmuxHTTPConnectPort = 1337", ""].join("\n");
const client = (address: string, target: string) =>
  [
    `serverAddr = "${address}"`,
    "serverPort = 7000",
    "[[proxies]]",
    'name = "idle"',
    'type = "tcpmux"',
    'multiplexer = "httpconnect"',
    `customDomains = ["${frpName}"]`,
    `localIP = "${target}"`,
    `localPort = ${sinkPort}`,
    "",
  ].join("\n");

/** Starts both in a namespace with the quiet server; they go with the namespace. Returns frps's address. */
export async function startFrp(namespace: string): Promise<string> {
  await start(namespace, "frps", server);
  const address = await podAddress(namespace, "frps");
  await start(namespace, "frpc", client(address, await podAddress(namespace, "sink")));
  return address;
}

async function start(namespace: string, program: "frps" | "frpc", configuration: string): Promise<void> {
  await apply(
    {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: program, namespace },
      data: { [`${program}.toml`]: configuration },
    },
    {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: program, namespace },
      spec: {
        automountServiceAccountToken: false,
        terminationGracePeriodSeconds: 0,
        containers: [
          {
            name: program,
            image: imageRef(program),
            imagePullPolicy: "IfNotPresent",
            command: [`/usr/local/bin/${program}`, "-c", `/etc/frp/${program}.toml`],
            volumeMounts: [{ name: "configuration", mountPath: "/etc/frp" }],
          },
        ],
        volumes: [{ name: "configuration", configMap: { name: program } }],
      },
    },
  );
  await kubectl(["-n", namespace, "wait", "--for=condition=Ready", `pod/${program}`, "--timeout=90s"]);
}

async function podAddress(namespace: string, name: string): Promise<string> {
  const { status } = await getObject<{ status: { podIP: string } }>(["-n", namespace, "pod", name]);
  return status.podIP;
}
