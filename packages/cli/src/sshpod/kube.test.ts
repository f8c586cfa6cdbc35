import { afterEach, describe, expect, it, vi } from "vitest";
import { CliError } from "../faults.ts";
import { type Answer, startApi } from "./api.fixture.ts";
import { loadKube } from "./kube.ts";

afterEach(() => void vi.unstubAllEnvs());

/** What a user is told who asks an API with this answer, for an object and for a stream; `API` stands for its address. */
async function told(answer: Answer): Promise<string[]> {
  const { address, kubeconfig } = await startApi({ "/one": answer });
  vi.stubEnv("KUBECONFIG", kubeconfig);
  const kube = await loadKube();
  const faults = await Promise.all(
    [kube.get("/one"), kube.open("/one", [])].map((asked) => asked.then(String, (error: unknown) => error)),
  );
  return faults.map((fault) => {
    expect(fault).toBeInstanceOf(CliError);
    return (fault as CliError).message.replaceAll(address, "API");
  });
}
const status = (message: string) => JSON.stringify({ kind: "Status", message });

describe("a refusal is told with its cure", () => {
  const forbidden =
    'pods "dev1-0" is forbidden: User "bob" cannot create resource "pods/portforward" in API group "" in the namespace "team-a"';
  const patience =
    "try again; if it stays, ask your platform team whether the cluster and the pod's node are well";
  it.each([
    [401, status("Unauthorized"), "Unauthorized; log in to the cluster again"],
    [403, status(forbidden), `${forbidden}; ask your platform team to allow it`],
    [500, status("error dialing backend: EOF"), `error dialing backend: EOF; ${patience}`],
    [502, `<html>${"x".repeat(1000)}`, `<html>${"x".repeat(194)}; ${patience}`],
  ])("%i", async (code, body, text) => {
    const fault = `the Kubernetes API answered ${code}: ${text}`;
    expect(await told([code, body])).toEqual([fault, fault]);
  });
});

describe("an answer that is none of Kubernetes'", () => {
  it.each([
    ["a page to log in", 200, "<html>\nLog in first"],
    ["a page elsewhere", 302, "<html>\nLog in first"],
  ])("names the server: %s", async (_, code, body) => {
    const fault =
      "API does not answer as a Kubernetes API does, but \"<html>\\nLog in first\"; it may be a proxy's login page: check the kubeconfig's server address, or log in there first";
    expect(await told([code, body])).toEqual([fault, fault]);
  });

  it("is no object", async () => {
    const [object] = await told([200, "null"]);
    expect(object).toMatch(/^API does not answer as a Kubernetes API does, but "null"; /);
  });
});

it("says that an answer broke off", async () => {
  const [object] = await told([0, '{"kind":']);
  expect(object).toBe(
    "the Kubernetes API at API cannot be reached: aborted; check the network and the kubeconfig's server address",
  );
});
