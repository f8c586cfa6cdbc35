/** One container behind a gateway with a plain and a TLS listener and behind frp, with a laptop that knows all ways. */

import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sshConfigText } from "../../../packages/drawbridge/src/host/client-texts/ssh-config.ts";
import type { SshTarget, SshWay } from "../../../packages/drawbridge/src/host/client-texts/target.ts";
import { installCli } from "../../../scripts/lib/clients/cli.ts";
import { freePort } from "../../../scripts/lib/free-port.ts";
import { getObject, Laptop } from "../../../scripts/lib/lab/lab.ts";
import { startListen } from "../../support/clients/listening.ts";
import { TestCa } from "../../support/lab/certificates.ts";
import {
  byGateway,
  namespaceWithCertificate,
  testContainer,
  testGateway,
  testNamespace,
} from "../../support/lab/cluster.ts";
import { loadBalancerAddress } from "../../support/lab/ingress-workload.ts";
import { byFrp, testFrpServer } from "../../support/stacks/frp-stack.ts";
import type { Removal } from "../cleanup.ts";
import { benchStack } from "../support/stack.ts";
import { startPortForward } from "./port-forward.ts";

const team = "bench-tunnel";
const gatewayName = "bench-tunnel-gateway";
const frpName = "bench-tunnel-frp";
const domain = "tunnel.example.com";
const serverName = `ssh.${domain}`;

/** The rivals; each is a host of the laptop's ssh_config under the name given here. */
export const ways = {
  drawbridge: "drawbridge",
  "gateway, nc": "gateway-nc",
  "gateway, proxytunnel": "gateway-proxytunnel",
  "gateway TLS, proxytunnel": "gateway-tls",
  "drawbridge proxy": "drawbridge-proxy",
  "drawbridge listen": "drawbridge-listen",
  direct: "direct",
  frp: "frp",
  "port-forward": "port-forward",
} as const;

/** Brings it all up; it goes when the scenario ends. */
export async function openWays(later: (removal: Removal) => void): Promise<Laptop> {
  const [laptop, ca, cli] = await Promise.all([
    Laptop.create("tunnel"),
    TestCa.create("tunnel"),
    installCli(),
  ]);
  later(() => Promise.all([laptop.remove(), ca.remove(), cli.remove()]));
  const server = await ca.issue("server", { subject: "/CN=gateway", names: `DNS=*.${domain}` });
  const { stack } = await benchStack(later, async () => {
    const secret = namespaceWithCertificate(gatewayName, server);
    const gateway = testGateway(
      gatewayName,
      {
        namespace: gatewayName,
        createNamespace: false,
        domain,
        listeners: { plain: {}, tls: { certificate: { secretName: "server" } } },
      },
      [secret],
    );
    const frp = testFrpServer(frpName);
    const container = testContainer(
      "dev1",
      {
        namespace: team,
        authorizedKeys: [laptop.publicKey],
        access: { ...byGateway(gateway), frp: byFrp(frp) },
        resources: { requests: { cpu: "100m" }, memory: "512Mi" },
      },
      [testNamespace(team)],
    );
    return { sshTarget: container.sshTarget, knownHosts: container.knownHosts };
  }, [team]);
  const { outputs } = await stack.up();
  const target = outputs.sshTarget?.value as SshTarget;
  const address = await loadBalancerAddress(gatewayName, gatewayName);
  const { status } = await getObject<{ status: { podIP: string } }>(["-n", team, "pod", "dev1-0"]);
  const tunnel = await tlsTunnel(laptop.folder, ca.certFile, address);
  const forwarded = await freePort();
  startPortForward(later, team, "dev1-0", forwarded);

  const plain: SshWay = { way: "gateway", address, port: 80, tls: false, mutual: false };
  const listening = await startListen(cli, [{ ...target, ways: [plain] }]);
  later(async () => listening.stop());
  const frp = target.ways.filter(({ way }) => way === "frp");
  const own = (alias: string, way: readonly SshWay[], options: Parameters<typeof sshConfigText>[1]) =>
    sshConfigText({ ...target, ways: [...way] }, { ...options, alias });
  const by = (alias: string, lines: readonly string[]) =>
    [`Host ${alias}`, `HostName ${target.hostName}`, `User ${target.user}`, ...lines].join("\n  ");
  const keyAlias = `HostKeyAlias ${target.hostName}`;
  const onLaptop = (alias: string, port: string | number) =>
    by(alias, [keyAlias, `Port ${port}`]).replace(target.hostName, "127.0.0.1");
  const blocks = [
    own(ways.drawbridge, [plain], { program: "nc" }),
    own(ways["gateway, nc"], [plain], { program: "nc", os: "macos" }),
    own(ways["gateway, proxytunnel"], [plain], { program: "proxytunnel" }),
    by(ways["gateway TLS, proxytunnel"], [`ProxyCommand ${tunnel} -d %h:%p`]),
    own(ways["drawbridge proxy"], [plain], { proxy: { command: [join(cli.bin, "drawbridge")] } }),
    onLaptop(ways["drawbridge listen"], listening.portOf(target.name)),
    own(ways.frp, frp, { program: "nc" }),
    by(ways.direct, [keyAlias]).replace(target.hostName, status.podIP),
    onLaptop(ways["port-forward"], forwarded),
    // The same for all: a cipher that is fast on every processor, and no compression.
    "Host *\n  Ciphers aes128-gcm@openssh.com\n  Compression no",
  ];
  await laptop.configure(blocks.join("\n"), outputs.knownHosts?.value as string);
  return laptop;
}

/** proxytunnel asks for the gateway's certificate by the name of the proxy, which no DNS of the lab knows. */
async function tlsTunnel(folder: string, ca: string, address: string): Promise<string> {
  const [script, hosts, order] = ["tls-tunnel", "hosts", "nsswitch.conf"].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  await writeFile(hosts, `127.0.0.1 localhost\n${address} ${serverName}\n`);
  await writeFile(order, "passwd: files\nhosts: files\n");
  const inside = `mount --bind ${hosts} /etc/hosts; mount --bind ${order} /etc/nsswitch.conf; exec "$@"`;
  await writeFile(
    script,
    `#!/bin/sh\nexec unshare --mount sh -euc '${inside}' sh proxytunnel -q -E -C ${ca} -p ${serverName}:443 "$@"\n`,
  );
  await chmod(script, 0o755);
  return script;
}
