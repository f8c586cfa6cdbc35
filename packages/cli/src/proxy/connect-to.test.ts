/** On a network of the test's own, some of whose addresses swallow packets. */

import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@drawbridge-iac/drawbridge/src/kit/temporary-folder.fixture";
import { expect, it } from "vitest";

const folder = temporaryFolder();

/** What a program of its own network and names prints; `$PORT` of its loopback answers. */
function inNetwork(addresses: readonly string[], setup: string, port: string): string[] {
  const hosts = join(folder, "hosts");
  writeFileSync(hosts, addresses.map((address) => `${address} gate.test\n`).join(""));
  const program = `
    import net from "node:net";
    import { connectTo } from ${JSON.stringify(join(import.meta.dirname, "connect-to.ts"))};
    const server = net.createServer().listen(0, "::", async () => {
      const begun = performance.now();
      const port = ${port};
      const said = await connectTo("gate.test", port, 6000).then(
        ({ remoteAddress = "none" }) => remoteAddress,
        ({ code }) => code,
      );
      console.log(said.replace("::ffff:", ""), Math.round((performance.now() - begun) / 100) / 10);
      process.exit();
    });`;
  const script = `mount --bind ${hosts} /etc/hosts && ip link set lo up && ${setup} && exec "$0" --input-type=module-typescript -e "$1"`;
  const words = ["-Urmn", "sh", "-c", script, process.execPath, program];
  return execFileSync("unshare", words, { encoding: "utf8" }).trim().split(" ");
}

const open = "server.address().port";
const silent = (tables: string, version: string, network: string) =>
  `ip ${version} route add local ${network} dev lo && ${tables} -A INPUT -d ${network} -j DROP`;
const hole6 = silent("ip6tables", "-6", "2001:db8::/64");
const hole4 = silent("iptables", "-4", "192.0.2.0/24");

it.each([
  ["the only one", ["127.0.0.2"], "true", "127.0.0.2", 0],
  ["IPv4 beside a dead IPv6", ["2001:db8::7", "127.0.0.2"], hole6, "127.0.0.2", 0],
  ["IPv6 beside a dead IPv4", ["192.0.2.7", "::1"], hole4, "::1", 0],
  [
    "the last of four",
    ["2001:db8::7", "2001:db8::8", "192.0.2.7", "127.0.0.2"],
    `${hole6} && ${hole4}`,
    "127.0.0.2",
    0,
  ],
])("takes the address that answers: %s", (_what, addresses, setup, wanted) => {
  const [address, seconds] = inNetwork(addresses, setup, open);
  expect(address).toBe(wanted);
  expect(Number(seconds)).toBeLessThan(2);
});

/** Node itself says ETIMEDOUT here. */
it("waits for one whose first packet is lost, beside a family that is not there", () => {
  const [address, seconds] = inNetwork(
    ["127.0.0.2", "2001:db8::7"],
    "iptables -A INPUT -d 127.0.0.2 -p tcp --syn -m statistic --mode nth --every 9 --packet 0 -j DROP",
    open,
  );
  expect(address).toBe("127.0.0.2");
  expect(Number(seconds)).toBeGreaterThan(0.7);
});

it("says that all refuse, are silent or unknown", () => {
  expect(inNetwork(["127.0.0.2", "::1"], "true", "1")[0]).toBe("ECONNREFUSED");
  expect(inNetwork(["2001:db8::7", "127.0.0.2"], "true", "1")[0]).toBe("ECONNREFUSED");
  expect(inNetwork(["192.0.2.7"], hole4, open)).toEqual(["ETIMEDOUT", expect.stringMatching(/^6/)]);
  expect(inNetwork([], "true", open)[0]).toMatch(/^(ENOTFOUND|EAI_AGAIN)$/);
}, 30_000);
