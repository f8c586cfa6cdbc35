/** On a cluster: what components made is theirs there too, and what is refused comes true once it is accepted. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DevContainer, StorageAccessor, TeamMembers } from "@drawbridge-iac/drawbridge";
import * as k8s from "@pulumi/kubernetes";
import type { ComponentResourceOptions } from "@pulumi/pulumi";
import type { Stack } from "@pulumi/pulumi/automation/index.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { alice, bob, containerBase } from "../../packages/drawbridge/src/host/base.trials.ts";
import { temporaryFolder } from "../../packages/drawbridge/src/kit/temporary-folder.fixture.ts";
import { testStack } from "../../scripts/lib/engine/engine.ts";
import { kubectl } from "../../scripts/lib/lab/lab.ts";
import { acceptanceFile, guard, previewJson } from "../support/engine/guard.ts";

const namespace = "guard-rules";
const metadata = { name: "beside", namespace };
const container = { ...containerBase, namespace, running: false, wait: false };
const egress = { allow: [{ cidr: "10.7.0.0/16" }] };

/** What the program does besides, or otherwise. */
interface Edit {
  readonly container?: object;
  readonly size?: string;
  readonly viewers?: readonly string[];
  readonly options?: ComponentResourceOptions;
  readonly beside?: (opts: { readonly provider: k8s.Provider }) => unknown;
}

const openWalls: ComponentResourceOptions = {
  transforms: [
    ({ type, props, opts }) =>
      type.endsWith(":NetworkPolicy")
        ? { props: { ...props, spec: { ...props.spec, ingress: [{}] } }, opts }
        : undefined,
  ],
};

/** Refused by their rules, and brought up when they are accepted. */
const dangers: Readonly<Record<string, Edit>> = {
  "network-wall": { container: { egress } },
  "foreign-ca": { container: { ssh: { userCa: { keys: [bob] } } } },
  "foreign-change": { options: openWalls },
  "secret-taken": {
    beside: (opts) => {
      const { data } = k8s.core.v1.Secret.get("theirs", `${namespace}/dev1-host-key`, opts);
      new k8s.core.v1.ConfigMap("beside", { metadata, data }, opts);
    },
  },
  "cluster-rights": { viewers: ["alice", "system:authenticated"] },
  "gateway-opened": {
    beside: (opts) =>
      new k8s.apiextensions.CustomResource(
        "beside",
        { apiVersion: "security.istio.io/v1", kind: "AuthorizationPolicy", metadata, spec: { rules: [{}] } },
        opts,
      ),
  },
  "route-wall": {
    beside: (opts) =>
      new k8s.core.v1.Service(
        "beside",
        { metadata, spec: { clusterIP: "None", ports: [{ port: 80 }] } },
        opts,
      ),
  },
};

const daily: Readonly<Record<string, Edit>> = {
  "one more key": { container: { authorizedKeys: [alice, bob] } },
  "one more viewer": { viewers: ["alice", "bob"] },
  "a ConfigMap beside it": {
    beside: (opts) => new k8s.core.v1.ConfigMap("beside", { metadata, data: { a: "b" } }, opts),
  },
};

let edit: Edit = {};
let stack: Stack;
let removeState: () => Promise<void>;
const folder = temporaryFolder();
/** By a platform that knows whose the namespace is. */
const judged = (preview: string, ...more: string[]) =>
  guard(preview, "--bounds", join(folder, "bounds.json"), ...more);

beforeAll(async () => {
  await writeFile(join(folder, "bounds.json"), JSON.stringify({ namespaces: [namespace] }));
  await kubectl(["create", "namespace", namespace]);
  ({ stack, removeState } = await testStack(async () => {
    const provider = new k8s.Provider("cluster", { enableConfigMapMutable: true, enableSecretMutable: true });
    new DevContainer("dev1", { ...container, ...edit.container } as never, { ...edit.options, provider });
    new StorageAccessor("models", { namespace, size: edit.size ?? "2Gi" }, { provider });
    new TeamMembers(
      "members",
      { namespace, viewers: { users: [...(edit.viewers ?? ["alice"])] } },
      { provider },
    );
    edit.beside?.({ provider });
    return {};
  }));
  await stack.up();
});

afterAll(async () => {
  await stack.destroy();
  await removeState();
  await kubectl(["delete", "namespace", namespace, "--wait=false"]);
});

describe("on a cluster", () => {
  it("nothing changes, and nothing is refused", async () => {
    edit = {};
    const { code, report } = await judged(await previewJson(stack));
    const options =
      "Events leave out options such as ignoreChanges and deletedWith; `pulumi preview --json` without streaming shows them.";
    const quiet = `## drawbridge: nothing dangerous\n\nNo change.\n\n${options}\n`;
    expect({ code, report }).toEqual({ code: 0, report: quiet });
  });

  it.each(Object.entries(daily))("%s is daily work", async (_, change) => {
    edit = change;
    const { code, report } = await judged(await previewJson(stack));
    expect({ code, report }).toMatchObject({ code: 0 });
  });

  it.each(Object.entries(dangers))(
    "%s stops its change, which comes true once it is accepted",
    async (rule, change) => {
      edit = change;
      const preview = await previewJson(stack);
      const { code, report } = await judged(preview);
      const rules = [...report.matchAll(/^- \[\*\*([a-z-]+)\*\*\]/gm)].map(([, name]) => name);
      expect({ code, rules: [...new Set(rules)] }).toEqual({ code: 1, rules: [rule] });
      const file = await acceptanceFile(report, [rule], folder);
      expect((await judged(preview, "--accept-file", file)).code).toBe(0);
      expect((await stack.up()).summary.result).toBe("succeeded");
      edit = {};
      await stack.up();
    },
  );

  it("a smaller claim (volume-shrunk) is refused by Kubernetes, when it is previewed already", async () => {
    edit = { size: "1Gi" };
    await expect(previewJson(stack)).rejects.toThrow(/models-claim[\s\S]*Forbidden/);
  });
});
