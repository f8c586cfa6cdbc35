import { type AddressInfo, createServer, type Socket } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import { eventually } from "../../../scripts/lib/lab/lab.ts";
import { type LoopbackGateway, startGateway } from "../../support/clients/loopback-ssh.ts";
import { IdleTunnels, openTunnel, untilAccepted } from "./tunnels.ts";

const taken: Socket[] = [];
const behind = createServer((socket) => taken.push(socket.on("error", () => undefined)));
let gateway: LoopbackGateway;

beforeEach(async () => {
  await new Promise<void>((resolve) => behind.listen(0, "127.0.0.1", resolve));
  const { port } = behind.address() as AddressInfo;
  gateway = await startGateway({ "dev1:22": { port } });
});

afterEach(() => {
  gateway.stop();
  for (const socket of taken.splice(0)) socket.destroy();
  behind.close();
});

const door = (authority: string) => ({ address: "127.0.0.1", port: gateway.port, authority });

it("holds tunnels, and counts those that end by themselves", async () => {
  const tunnels = await IdleTunnels.open(() => door("dev1:22"), 120);
  await eventually("the other ends", async () => taken.length === 120);
  expect(tunnels.lost).toBe(0);
  for (const socket of taken.slice(0, 3)) socket.destroy();
  await eventually("the loss", async () => tunnels.lost === 3, 5);
  tunnels.close();
});

it("says how many were refused, and holds none then", async () => {
  const doors = (index: number) => door(index === 1 ? "dev2:22" : "dev1:22");
  await expect(IdleTunnels.open(doors, 3)).rejects.toThrow("1 of 3 tunnels were refused");
  await eventually("their end", async () => taken.length === 2 && taken.every(({ closed }) => closed), 5);
});

it("knows a plain connection, a refusal and a closed port", async () => {
  const plain = await openTunnel({ address: "127.0.0.1", port: gateway.port });
  expect(plain?.destroyed).toBe(false);
  plain?.destroy();
  expect(await openTunnel(door("dev2:22"))).toBe(undefined);
  expect(await openTunnel({ address: "127.0.0.1", port: 1 })).toBe(undefined);
});

it("waits for the first accepted tunnel, and gives up", async () => {
  expect(await untilAccepted(door("dev1:22"), performance.now())).toBeGreaterThan(0);
  await expect(untilAccepted(door("dev2:22"), performance.now(), 0.05)).rejects.toThrow(
    "dev2:22 was not accepted within 0.05 s",
  );
});
