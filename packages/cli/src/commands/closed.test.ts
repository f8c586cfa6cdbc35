/** `drawbridge doctor` and `list` for a host that is no container, with a fake API server and a fake gateway. */
import net, { type AddressInfo, type Server } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { doctor } from "./doctor.ts";
import { laptop } from "./laptop.fixture.ts";
import { list } from "./list.ts";

let removeLaptop: () => Promise<void>;
let gateway: Server;
let port: number;

const labels = (part: string) =>
  `?labelSelector=app.kubernetes.io/instance=box,app.kubernetes.io/component in (${part})`;
const answers = {
  [`/apis/networking.istio.io/v1/namespaces/team-a/virtualservices${labels("ssh-route,injected-sshd")}`]: {
    items: [
      {
        metadata: { name: "box-ssh", labels: { "app.kubernetes.io/component": "ssh-route" } },
        spec: { http: [{ route: [{ destination: { host: "legacy.team-a.svc.cluster.local" } }] }] },
      },
    ],
  },
};

beforeAll(async () => {
  gateway = net
    .createServer((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", () => socket.end("HTTP/1.1 503 Service Unavailable\r\n\r\n"));
    })
    .listen(0, "127.0.0.1");
  await new Promise((resolve) => gateway.once("listening", resolve));
  ({ port } = gateway.address() as AddressInfo);
  const ways = [{ way: "gateway", address: "127.0.0.1", port }];
  removeLaptop = await laptop(answers, [{ name: "box", hostName: "box.team-a.dev.example.com", ways }]);
});
afterAll(async () => {
  gateway.close();
  await removeLaptop();
});

it("doctor says what the cluster knows of the host, and mentions no container and no pod", async () => {
  const lines: string[] = [];
  expect(await doctor("box", {}, (line) => lines.push(line))).toBe(false);
  expect(lines).toEqual([
    `box by gateway (http://127.0.0.1:${port})`,
    "  ok   DNS: 127.0.0.1 is 127.0.0.1",
    `  ok   TCP: port ${port} is open`,
    "  FAIL CONNECT: the gateway knows box.team-a.dev.example.com:22, but nothing answers there (503); it is starting, stopped or not ready",
    "  FAIL cluster: there is no Service legacy in namespace team-a of context x; check both names, or mend serviceName of the SshRoute",
    "0 of 1 ways lead to a login",
  ]);
});

it("list shows a dash for its pod", async () => {
  const [, row, ...rest] = (await list({})).split("\n");
  expect(row?.split(/ {2,}/)).toEqual([
    "box",
    "jovyan",
    "box.team-a.dev.example.com",
    "-",
    "gateway says 503",
  ]);
  expect(rest).toEqual([""]);
});
