/** `drawbridge host-key` with a fake API, fake pods, and a fake ssh-keyscan that really connects. */

import { writeFile } from "node:fs/promises";
import { createServer as createHttpServer } from "node:http";
import net, { type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Duplex } from "node:stream";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { listening, temporaryFolder } from "../machine.fixture.ts";
import { kubeWith } from "../sshpod/kube.fixture.ts";
import { KubeError } from "../sshpod/kube.ts";
import { type Forward, type HostKeyFlags, hostKey } from "./host-key.ts";

/** Prints the keys that are in the greeting: `SSH-2.0-<ed25519>-<rsa>`, the rsa one first, as some versions do. */
const keyscan = `#!/bin/bash
exec 3<>"/dev/tcp/127.0.0.1/$6"
IFS=- read -r _ _ ed rsa <&3
echo "# 127.0.0.1:$6 SSH-2.0-$ed" >&2
[ "$ed" = none ] && { echo "127.0.0.1: no key of ours" >&2; exit 1; }
echo "# 127.0.0.1:$6 SSH-2.0-$ed"
echo "[127.0.0.1]:$6 ssh-rsa \${rsa%$'\\r'}"
echo "[127.0.0.1]:$6 ssh-ed25519 $ed"
`;

const folder = temporaryFolder();
beforeAll(async () => {
  await writeFile(join(folder, "ssh-keyscan"), keyscan, { mode: 0o755 });
  vi.stubEnv("PATH", `${folder}:${process.env.PATH}`);
});
afterAll(() => vi.unstubAllEnvs());

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

interface PodFields {
  readonly ready?: boolean;
  readonly deleted?: boolean;
}
const pod = (name: string, { ready = true, deleted = false }: PodFields = {}) => ({
  metadata: { name, uid: name, ...(deleted && { deletionTimestamp: "now" }) },
  spec: { containers: [{ name: "app", ports: [{ name: "login", containerPort: 2200 }] }] },
  status: {
    phase: "Running",
    conditions: [{ type: "Ready", status: ready ? "True" : "False" }],
    containerStatuses: [{ name: "app", state: { running: {} } }],
  },
});
const service = (fields: object = {}) => ({
  spec: { selector: { app: "box" }, clusterIP: "10.0.0.1", ports: [{ name: "ssh", port: 22 }], ...fields },
});

const behind = (...pods: object[]) => ({ "team-a/pods?app=box": { items: pods } });

/** Pods that send these greetings at any port, and a list of the ports that were asked for. */
async function pods(greetings: Record<string, string>) {
  const asked: string[] = [];
  const ports = new Map<string, number>();
  for (const [name, greeting] of Object.entries(greetings)) {
    const server = net.createServer((socket) => {
      socket.on("error", () => undefined);
      socket.write(greeting);
    });
    servers.push(server);
    ports.set(name, await listening(server));
  }
  const forward: Forward = async (_kube, { pod, port }) => {
    asked.push(`${pod}:${port}`);
    return net.connect(ports.get(pod) ?? 0, "127.0.0.1");
  };
  return { asked, forward };
}

const ask = async (
  target: string,
  objects: Record<string, unknown>,
  greetings: Record<string, string> = {},
  flags: HostKeyFlags = {},
) => {
  const { asked, forward } = await pods(greetings);
  return {
    ...(await hostKey(target, flags, async () => kubeWith(objects), forward)),
    asked: [...new Set(asked)],
  };
};
const fault = async (...args: Parameters<typeof ask>) =>
  ask(...args).then(
    () => "none",
    (error: Error) => error.message,
  );

const one = { box: "SSH-2.0-AAAA-BBBB\r\n" };
const keys = "ssh-ed25519 AAAA\nssh-rsa BBBB\n";

describe("the keys", () => {
  it("of a pod are printed one a line, ed25519 first", async () => {
    const objects = { "team-a/pods/box": pod("box"), "team-b/pods/box": pod("box", { ready: false }) };
    const answer = { text: keys, warning: undefined };
    expect(await ask("pod/box", objects, one)).toEqual({ ...answer, asked: ["box:22"] });
    expect(await ask("box", objects, one, { port: "2222" })).toEqual({ ...answer, asked: ["box:2222"] });
    // A pod that is named is asked, ready or not.
    expect(await ask("po/box", objects, one, { namespace: "team-b" })).toEqual({
      ...answer,
      asked: ["box:22"],
    });
  });

  it.each([
    [{}, 22],
    [{ ports: [{ port: 22, targetPort: 2222 }] }, 2222],
    [{ ports: [{ port: 80 }, { port: 22, targetPort: "login" }] }, 2200],
    [{ clusterIP: "None", ports: [{ port: 22, targetPort: 2222 }] }, 22],
  ])("of a Service %j are asked for at port %i of the pod that is ready", async (fields, port) => {
    const unready = [pod("old", { deleted: true }), pod("new", { ready: false })];
    const objects = { "team-a/services/box": service(fields), ...behind(...unready, pod("box")) };
    expect((await ask("service/box", objects, one)).asked).toEqual([`box:${port}`]);
  });

  it("of a Service that names pods before they are ready are asked for before", async () => {
    const objects = {
      "team-a/services/box": service({ publishNotReadyAddresses: true }),
      ...behind(pod("box", { ready: false })),
    };
    expect((await ask("svc/box", objects, one)).text).toBe(keys);
  });

  it("of several pods are all printed, and said to differ where they do", async () => {
    const objects = { "team-a/services/box": service(), ...behind(pod("b"), pod("a"), pod("c")) };
    const alike = { a: one.box, b: one.box, c: one.box };
    expect(await ask("svc/box", objects, alike)).toMatchObject({ text: keys, warning: undefined });
    expect(await ask("svc/box", objects, { ...alike, b: "SSH-2.0-CCCC-BBBB\r\n" })).toMatchObject({
      text: "ssh-ed25519 AAAA\nssh-rsa BBBB\nssh-ed25519 CCCC\n",
      warning:
        "the pods behind svc/box have different keys (b other than a): clients that know them all get in, until a new pod brings a new one; give all pods the same host key",
    });
    const { text } = await ask("svc/box", objects, alike, { json: true });
    const both = ["ssh-ed25519 AAAA", "ssh-rsa BBBB"];
    expect(JSON.parse(text)).toEqual({
      hostPublicKeys: both,
      pods: ["a", "b", "c"].map((name) => ({ pod: name, hostPublicKeys: both })),
    });
  });
});

describe("a fault says its cure", () => {
  const path = "team-a/services/box";
  const local = "read /etc/ssh/ssh_host_ed25519_key.pub on the machine itself";
  it.each<[string, Record<string, unknown>, string]>([
    [
      "no such Service",
      {},
      "there is no Service box in namespace team-a of context lab; check both names, or give -n NAMESPACE or --context NAME",
    ],
    [
      "no right to look",
      { [path]: 403 },
      "your account may not read Service box in namespace team-a: not for you; ask for get on services, and get and list on pods, in that namespace",
    ],
    [
      "an ExternalName",
      { [path]: service({ type: "ExternalName", externalName: "db.example.com" }) },
      `Service box is an ExternalName for db.example.com: no pod is behind it, and no SshRoute leads to one; make a Service with a selector or with endpoints, and ${local}`,
    ],
    [
      "no selector",
      { [path]: service({ selector: {} }) },
      `Service box has no selector, so there is no pod to ask; ${local}`,
    ],
    [
      "another port",
      { [path]: service({ ports: [{ port: 2222, name: "ssh" }, { port: 80 }] }) },
      "Service box has no port 22; it has 2222 (ssh), 80: take the one that leads to sshd",
    ],
    [
      "a port by a name that no pod has",
      { [path]: service({ ports: [{ port: 22, targetPort: "ssh" }] }), ...behind(pod("box")) },
      "port 22 of Service box leads to the port ssh, which pod box does not have; correct one of the two",
    ],
    [
      "no pod",
      { [path]: service(), ...behind() },
      "no pod behind Service box is ready (no pod has the labels app=box); see: kubectl -n team-a describe service box",
    ],
    [
      "no ready pod",
      { [path]: service(), ...behind(pod("box", { ready: false }), pod("old", { deleted: true })) },
      "no pod behind Service box is ready (box: phase Running; old: it is being deleted); see: kubectl -n team-a describe service box",
    ],
  ])("%s", async (_, objects, expected) => {
    expect(await fault("service/box", objects)).toBe(expected);
  });

  it("a pod that is not there, or does not run", async () => {
    expect(await fault("pod/box", {})).toBe(
      "there is no pod box in namespace team-a of context lab; check both names, or give -n NAMESPACE or --context NAME",
    );
    const pending = { ...pod("box"), status: { phase: "Pending" } };
    expect(await fault("pod/box", { "team-a/pods/box": pending })).toBe(
      "pod team-a/box does not run: phase Pending; see: kubectl -n team-a describe pod box",
    );
  });

  it("what speaks something else, with its own words", async () => {
    const objects = { "team-a/pods/box": pod("box") };
    expect(await fault("pod/box", objects, { box: "220 mail.example.com ESMTP\r\n" })).toBe(
      'pod team-a/box, port 22: "220 mail.example.com ESMTP\\r" is not the greeting of an SSH server; check the port',
    );
    // Something that waits for its client to speak is spoken to.
    const http = createHttpServer();
    servers.push(http);
    const port = await listening(http);
    const toHttp: Forward = async () => net.connect(port, "127.0.0.1");
    await expect(hostKey("pod/box", {}, async () => kubeWith(objects), toHttp)).rejects.toThrow(
      'pod team-a/box, port 22: "HTTP/1.1 400 Bad Request\\r" is not the greeting of an SSH server; check the port',
    );
  });

  it("a port where nothing listens, and no right to forward it", async () => {
    const objects = async () => kubeWith({ "team-a/pods/box": pod("box") });
    const said = "nothing listens on port 22 in the pod; its sshd has not started yet, or has ended";
    const silent: Forward = async () => {
      const stream = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() });
      setImmediate(() => stream.destroy(new Error(said)));
      return stream;
    };
    await expect(hostKey("pod/box", {}, objects, silent)).rejects.toThrow(`pod team-a/box, port 22: ${said}`);
    const refused: Forward = () => Promise.reject(new KubeError(403, "pods/portforward is forbidden"));
    await expect(hostKey("pod/box", {}, objects, refused)).rejects.toThrow(
      "pod team-a/box, port 22: your account may not forward ports: pods/portforward is forbidden; ask for get and create on pods/portforward",
    );
  });

  it("ssh-keyscan that gets nothing, or is not there", async () => {
    const objects = { "team-a/pods/box": pod("box") };
    expect(await fault("pod/box", objects, { box: "SSH-2.0-none-\r\n" })).toBe(
      "pod team-a/box, port 22: ssh-keyscan got no key: 127.0.0.1: no key of ours",
    );
    vi.stubEnv("PATH", tmpdir());
    expect(await fault("pod/box", objects, one)).toBe(
      "ssh-keyscan is not installed here; install OpenSSH's client",
    );
    vi.stubEnv("PATH", `${folder}:/usr/bin:/bin`);
  });

  it("words that are none of kubectl's", async () => {
    const no = (target: string) =>
      `"${target}" is not a target; write pod/NAME or service/NAME, with -n NAMESPACE`;
    for (const target of ["deployment/box", "team-a/box", "pod/../x", "constructor/box", ""]) {
      expect(await fault(target, {})).toBe(no(target));
    }
    expect(await fault("box", {}, {}, { port: "0x16" })).toBe(
      '--port "0x16" is not a port; give a whole number from 1 to 65535',
    );
    expect(await fault("box", {}, {}, { namespace: "a/b" })).toBe(
      '--namespace "a/b" is no namespace\'s name',
    );
  });
});
