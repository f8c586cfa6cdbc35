import { describe, expect, it } from "vitest";
import { containerVariables, secretEnvMark, secretEnvOf } from "./environment.ts";
import { faultsOf, planOf, templateOf } from "./plan.fixture.ts";

/** What each container of the pod has under these names. */
function variables(args: Parameters<typeof planOf>[0], ...names: string[]) {
  const { containers, initContainers = [] } = templateOf(args).spec;
  return [...initContainers, ...containers].map(({ name, env = [] }) => [
    name,
    env.filter((one) => names.includes(one.name)),
  ]);
}

describe("the environment", () => {
  it("comes from proxy and authorities, and from what is declared over them", () => {
    const { environment } = planOf({
      proxy: { http: "http://proxy:3128", except: [".corp"] },
      trustedCa: { configMapName: "ca", key: "bundle.pem" },
      env: { HTTPS_PROXY: "http://other:1", PIP_CERT: "/x" },
    });
    const bundle = "/etc/drawbridge/ca/bundle.pem";
    const none = "localhost,127.0.0.1,.svc,.cluster.local,.corp";
    expect(environment).toEqual({
      HOME: "/home/jovyan",
      USER: "jovyan",
      SSL_CERT_FILE: bundle,
      REQUESTS_CA_BUNDLE: bundle,
      NODE_EXTRA_CA_CERTS: bundle,
      GIT_SSL_CAINFO: bundle,
      CURL_CA_BUNDLE: bundle,
      AWS_CA_BUNDLE: bundle,
      PIP_CERT: "/x",
      HTTP_PROXY: "http://proxy:3128",
      http_proxy: "http://proxy:3128",
      HTTPS_PROXY: "http://other:1",
      https_proxy: "http://proxy:3128",
      NO_PROXY: none,
      no_proxy: none,
    });
  });

  it("has one order, however it is written", () => {
    const node = { fieldRef: { fieldPath: "spec.nodeName" } };
    const listOf = (env: Record<string, string>, envValueFrom: Record<string, object>) => {
      return containerVariables(planOf({ env, envValueFrom }), "s").env?.map(({ name }) => name);
    };
    const names = ["HOME", "USER", "A", "B", "X", "Y"];
    expect(listOf({ B: "", A: "" }, { Y: node, X: node })).toEqual(names);
    expect(listOf({ A: "", B: "" }, { X: node, Y: node })).toEqual(names);
  });

  it("reaches the container as it is written, dollar signs included", () => {
    expect(variables({ env: { A: "$(B) $C $$" } }, "A")).toEqual([
      ["home-folder", []],
      ["dev", [{ name: "A", value: "$$(B) $$C $$$$" }]],
    ]);
  });

  it("lets git trust the top folders of volumes, unless somebody tells git something", () => {
    const mounted = {
      mounts: [
        { claimName: "data", mountPath: "/data" },
        { volumeName: "scratch", mountPath: "/scratch" },
      ],
      pod: { volumes: [{ name: "scratch", emptyDir: {} }] },
    };
    expect(planOf(mounted).environment).toMatchObject({
      GIT_CONFIG_COUNT: "2",
      GIT_CONFIG_KEY_0: "safe.directory",
      GIT_CONFIG_VALUE_0: "/data",
      GIT_CONFIG_KEY_1: "safe.directory",
      GIT_CONFIG_VALUE_1: "/scratch",
    });
    expect(planOf().environment).not.toHaveProperty("GIT_CONFIG_COUNT");
    const own = { ...mounted, env: { GIT_CONFIG_COUNT: "0" } };
    expect(Object.keys(planOf(own).environment).filter((name) => name.startsWith("GIT"))).toEqual([
      "GIT_CONFIG_COUNT",
    ]);
  });
});

describe("secret variables", () => {
  const ref = (key: string) => ({ secretKeyRef: { name: "dev1-env", key } });

  it("is none where there are no names", () => {
    expect(secretEnvOf(planOf())).toBe(undefined);
  });

  it("wins over what the proxy sets, as any source does", () => {
    const proxy = { http: "http://proxy.example.com:3128" };
    const own = { proxy, secretEnv: { HTTP_PROXY: "http://user:password@proxy.example.com:3128" } };
    expect(variables(own, "HTTP_PROXY", "http_proxy").at(-1)).toEqual([
      "dev",
      [
        { name: "http_proxy", value: proxy.http },
        { name: "HTTP_PROXY", valueFrom: ref("HTTP_PROXY") },
      ],
    ]);
  });

  it("has each variable once", () => {
    const twice = {
      env: { A: "1", B: "2" },
      secretEnv: { B: "2", C: "3" },
      envValueFrom: { C: { fieldRef: { fieldPath: "status.podIP" } } },
    };
    expect(faultsOf({ ...twice, pod: { sidecars: [{ name: "s", image: "s:1", ...twice }] } })).toEqual([
      "pod.sidecars[0].secretEnv.B: is set in env too",
      "pod.sidecars[0].secretEnv.C: is set in envValueFrom too",
      "secretEnv.B: is set in env too",
      "secretEnv.C: is set in envValueFrom too",
    ]);
  });

  it("takes what can be passed into a session", () => {
    expect(faultsOf({ secretEnv: { A: "two\nlines", "B-C": "1" } })).toEqual([
      "secretEnv.A: has a line break, which cannot be passed into an SSH session",
      'secretEnv["B-C"]: (secret) is not an environment variable name (letters, digits, _)',
    ]);
  });

  it("has a mark that another value, name, container or key changes, and their order does not", () => {
    const marks = [
      secretEnvMark("a/b", { A: "1" }, "key"),
      secretEnvMark("a/b", { A: "2" }, "key"),
      secretEnvMark("a/b", { B: "1" }, "key"),
      secretEnvMark("a/c", { A: "1" }, "key"),
      secretEnvMark("a/b", { A: "1" }, "another key"),
      secretEnvMark("a/b", { A: "1" }, undefined),
      secretEnvMark("a/c", { A: "1" }, undefined),
    ];
    expect(new Set(marks).size).toBe(marks.length);
    expect(secretEnvMark("a/b", { A: "1" }, "key")).toBe(marks[0]);
    const [one, other] = [
      { B: "2", A: "1" },
      { A: "1", B: "2" },
    ].map((secretEnv) =>
      secretEnvMark("a/b", secretEnvOf(planOf({ secretEnv })) as Record<string, string>, "key"),
    );
    expect(one).toBe(other);
  });
});
