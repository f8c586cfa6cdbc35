/** Who wrote or deleted which file, from where: told by the proxy's and the file server's own lines, joined by their fields. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testStack } from "../../scripts/lib/engine/engine.ts";
import { eventually, getObject, kubectl, run } from "../../scripts/lib/lab/lab.ts";
import { pageBlock } from "../../scripts/lib/pages/page-blocks.ts";
import { endStack, testNamespace } from "../support/lab/cluster.ts";
import { loadBalancerAddress } from "../support/lab/ingress-workload.ts";
import { startProbe, stopProbe } from "../support/lab/probe-pod.ts";
import { curl, TokenIssuer } from "../support/lab/web.ts";
import { login, testAccess, testProxy, testStorage } from "../support/stacks/storage.ts";

const team = "team-au";
const probe = "probe-au";
const issuer = new TokenIssuer("https://id.example.com");
const writers = Array.from({ length: 16 }, (_, index) => ({
  user: `writer-${index}`,
  password: `only-for-tests-writer-${index}`,
  write: true,
}));
const proxy = "files-au";
const host = "files.example.com";

let stack: Awaited<ReturnType<typeof testStack>>;

beforeAll(async () => {
  stack = await testStack(async () => {
    const namespace = testNamespace(team);
    const jwt = { issuer: issuer.name, jwks: issuer.jwks, values: [team], write: true };
    const of = testProxy(proxy, { dnsName: host });
    for (const [storage, tokens] of Object.entries({ plain: {}, tokens: { jwt } })) {
      const browse = testAccess(of, { actions: ["upload", "delete"], credentials: writers, ...tokens });
      testStorage(storage, { namespace: team, browse }, [namespace]);
    }
    return {};
  });
  await stack.stack.up();
  await startProbe(probe);
});

afterAll(async () => {
  await stopProbe(probe);
  await endStack(stack, [team]);
});

/** One line of a log: the proxy's, or the file server's. */
interface Line {
  readonly request: string;
  readonly client?: string;
  readonly user: string | null;
  readonly method: string;
  readonly path: string;
  readonly to: string | null;
  readonly status: string | number;
}

async function lines(namespace: string, instance: string): Promise<Line[]> {
  const selector = `app.kubernetes.io/instance=${instance}`;
  const log = await kubectl(["-n", namespace, "logs", "-l", selector, "--all-containers", "--tail=-1"]);
  return log
    .split("\n")
    .filter((line) => line.startsWith('{"'))
    .map((line) => JSON.parse(line) as Line);
}

describe.each(["plain", "tokens"])("%s: a change of a file", (storage) => {
  const path = (name: string) => `/storage/${team}/${storage}/${name}`;

  it("is told with its user, address and outcome, and those of 16 writers at once are not mixed up", async () => {
    const address = await loadBalancerAddress(proxy, proxy);
    const ask = async (args: readonly string[], name: string) => {
      const at = [...args, "--resolve", `${host}:80:${address}`, "-D", "-", `http://${host}${path(name)}`];
      const { status, body } = await curl(at);
      return { status, request: /^x-request-id: (\S+)\r$/im.exec(body)?.[1] ?? "none" };
    };
    await eventually(
      "the storage",
      async () => (await ask(login(writers[0] ?? expect.fail("none")), "")).status === 200,
    );

    const expected: Record<string, [string, string, string, string | null, number]> = {};
    const write = async (writer: (typeof writers)[number], index: number) => {
      const as = login(writer);
      const [from, to] = [`file-${index}.txt`, `moved ${index}.txt`];
      const there = encodeURIComponent(to);
      const put = await ask([...as, "-X", "PUT", "-d", `of ${index}`], from);
      expected[put.request] = [writer.user, "PUT", path(from), null, 201];
      const move = await ask([...as, "-X", "MOVE", "-H", `Destination: http://${host}${path(there)}`], from);
      expected[move.request] = [writer.user, "MOVE", path(from), path(there), 204];
      const gone = await ask([...as, "-X", "DELETE"], index % 2 === 0 ? there : "nothing.txt");
      expected[gone.request] = [
        writer.user,
        "DELETE",
        path(index % 2 === 0 ? there : "nothing.txt"),
        null,
        index % 2 === 0 ? 204 : 404,
      ];
      // Someone who names another user without the password is told as refused.
      const wrong = await ask(["-u", `${writer.user}:not-the-password-of-it`, "-X", "DELETE"], there);
      expected[wrong.request] = [writer.user, "DELETE", path(there), null, 401];
    };
    await Promise.all(writers.map(write));
    const ids = Object.keys(expected);
    expect(ids.length).toBe(4 * writers.length);

    const all = await eventually("every line", async () => {
      const told = { proxy: await lines(proxy, proxy), files: await lines(team, storage) };
      const complete = [told.proxy, told.files].every((some) => {
        const seen = new Set(some.map(({ request }) => request));
        return ids.every((id) => seen.has(id));
      });
      return complete && told;
    });
    const joined = ids.map((id) => {
      const of = (some: readonly Line[]) => some.filter(({ request }) => request === id);
      const [front, back] = [of(all.proxy), of(all.files)];
      expect([front.length, back.length]).toEqual([1, 1]);
      const none = (text: string | null | undefined) => (text === "-" || text === undefined ? null : text);
      const facts = ({ user, method, path, to, status }: Line) => [
        none(user),
        method,
        path,
        none(to),
        Number(status),
      ];
      expect(facts(back[0] ?? expect.fail("no line"))).toEqual(facts(front[0] ?? expect.fail("no line")));
      return [id, facts(front[0] ?? expect.fail("no line"))];
    });
    expect(Object.fromEntries(joined)).toEqual(expected);
    // The page's question finds just the changes.
    const question = await pageBlock("docs/audit.md", "sh", "IN(");
    const asked = await run("sh", ["-euc", question.replaceAll("files", proxy)]);
    const changes = asked.stdout.trim().split("\n");
    expect(changes.map((line) => (JSON.parse(line) as Line).request).sort()).toEqual(
      all.proxy
        .filter(({ method }) => ["PUT", "PATCH", "DELETE", "MOVE"].includes(method))
        .map(({ request }) => request)
        .sort(),
    );
    const own = (await run("ip", ["-o", "addr"])).stdout;
    for (const client of new Set(
      all.proxy.filter(({ request }) => ids.includes(request)).map(({ client }) => client),
    )) {
      expect(own).toContain(` ${client}/`);
    }
  });

  it("is told with the address of a pod that made it", async () => {
    const address = await loadBalancerAddress(proxy, proxy);
    const ip = (await getObject<{ status: { podIP: string } }>(["-n", probe, "pod", "probe"])).status.podIP;
    const [writer] = writers;
    const basic = Buffer.from(`${writer?.user}:${writer?.password}`).toString("base64");
    const name = "from-a-pod.txt";
    const request = `PUT ${path(name)} HTTP/1.1\\r\\nHost: ${host}\\r\\nAuthorization: Basic ${basic}\\r\\nContent-Length: 1\\r\\nConnection: close\\r\\n\\r\\nx`;
    const script = `(printf '${request}'; sleep 2) | nc -w 5 ${address} 80`;
    const answer = await run("kubectl", ["-n", probe, "exec", "probe", "--", "sh", "-c", script]);
    expect(answer.stdout.split("\r\n")[0]).toBe("HTTP/1.1 201 Created");
    const id = /^x-request-id: (\S+)\r$/im.exec(answer.stdout)?.[1];
    const line = await eventually("its line", async () =>
      (await lines(proxy, proxy)).find((one) => one.request === id),
    );
    expect([line.client, line.user, line.method, line.path, line.status]).toEqual([
      ip,
      "writer-0",
      "PUT",
      path(name),
      201,
    ]);
  });
});

describe("a change with a token", () => {
  it("is told with whose token it was", async () => {
    const storage = "tokens";
    const address = await loadBalancerAddress(proxy, proxy);
    const token = issuer.token({ team, sub: "build-7" });
    const path = `/storage/${team}/${storage}/by-token.txt`;
    const args = [
      "-X",
      "PUT",
      "-d",
      "x",
      "-H",
      `Authorization: Bearer ${token}`,
      "-H",
      "X-Drawbridge-Token-User: root",
    ];
    const answer = await curl([
      ...args,
      "--resolve",
      `${host}:80:${address}`,
      "-D",
      "-",
      `http://${host}${path}`,
    ]);
    expect(answer.status).toBe(201);
    const id = /^x-request-id: (\S+)\r$/im.exec(answer.body)?.[1];
    const of = async (namespace: string, instance: string) =>
      (await lines(namespace, instance)).filter(({ request }) => request === id);
    const [line] = await eventually("its line", async () => {
      const found = await of(team, storage);
      return found.length === 1 && found;
    });
    expect([line?.user, line?.method, line?.path, line?.status]).toEqual(["build-7", "PUT", path, "201"]);
    const logs = await kubectl([
      "-n",
      team,
      "logs",
      "-l",
      `app.kubernetes.io/instance=${storage}`,
      "--all-containers",
      "--tail=-1",
    ]);
    expect(logs.includes(token)).toBe(false);
  });
});
