/** Most people's laptops have no kubeconfig: the way by the Kubernetes API is then no fault of a container's. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { doctor } from "./doctor.ts";
import { laptop } from "./laptop.fixture.ts";
import { list } from "./list.ts";

const sshpod = { way: "sshpod", pod: "dev1-0", namespace: "team-a" };
const closed = { way: "gateway", address: "127.0.0.1", port: 1 };
let removeLaptop: () => Promise<void>;

const knows = async (...targets: object[]) => {
  removeLaptop = await laptop({}, targets);
  vi.stubEnv("KUBECONFIG", "/nowhere");
};

beforeEach(() => vi.stubEnv("KUBERNETES_SERVICE_HOST", ""));
afterEach(() => removeLaptop());

const doctored = async (name?: string) => {
  const lines: string[] = [];
  await doctor(name, {}, (line) => lines.push(line));
  return lines;
};

it("doctor leaves the way out, and says so", async () => {
  await knows({ ways: [closed, sshpod] });
  const lines = await doctored("dev1");
  expect(lines[0]).toBe("dev1 by sshpod is left out: it needs a kubeconfig, and none is here");
  expect(lines.at(-1)).toBe("0 of 1 ways lead to a login");
});

it("doctor tries it where it is the only one", async () => {
  await knows({ ways: [sshpod] });
  expect((await doctored("dev1")).slice(-2)).toEqual([
    "  FAIL pod: there is no kubeconfig: KUBECONFIG names none, and ~/.kube/config is not there; ask your platform team for one",
    "0 of 1 ways lead to a login",
  ]);
});

it("doctor of all keeps the lines of each container together", async () => {
  const names = Array.from({ length: 40 }, (_, at) => `dev${at}`);
  await knows(...names.map((name) => ({ name, hostName: `${name}.dev.example.com`, ways: [closed] })));
  const lines = await doctored();
  const heads = lines.filter((line) => line.includes(" by gateway ")).map((line) => line.split(" ")[0]);
  expect([...heads].sort()).toEqual([...names].sort());
  for (const name of names) {
    expect(lines).toContain(`${name}: 0 of 1 ways lead to a login\n`);
    const head = lines.indexOf(`${name} by gateway (http://127.0.0.1:1)`);
    expect(lines.indexOf(`${name}: 0 of 1 ways lead to a login\n`)).toBe(head + 3);
  }
  expect(lines.at(-1)).toBe("0 of 40 containers can be logged in to");
});

it("list says what it needs", async () => {
  await knows({ ways: [closed, sshpod] });
  expect(await list({})).toContain("gateway: no answer (TCP), sshpod needs a kubeconfig\n");
});
