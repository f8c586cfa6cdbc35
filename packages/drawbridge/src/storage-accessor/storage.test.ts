import { describe, expect, it } from "vitest";
import { slowMark } from "../kit/crypto.ts";
import type { StorageAccessorInput } from "./args.ts";
import { fileServerDeployment } from "./deployment.ts";
import { accessRules } from "./dufs.ts";
import { fileServerService } from "./network.ts";
import { credentials, planOf, proxy } from "./plan.fixture.ts";
import { prepareJob } from "./prepare-job.ts";
import { type JobReport, storageStatus } from "./status.ts";

type Plan = ReturnType<typeof planOf>;
const accessorOf = (plan: Plan, marks = {}) =>
  fileServerDeployment(plan, plan.fileServer ?? expect.fail("no file server"), marks);
const jobOf = (plan: Plan) => prepareJob(plan, plan.prepare ?? expect.fail("no preparation"));

it("puts labels and annotations of one's own on both pods, and none of ours in their place", () => {
  const own = {
    pod: { labels: { "kueue.x-k8s.io/queue-name": "team-a" }, annotations: { "cost/center": "42" } },
  };
  const prepare = { image: "tools:1" };
  const templates = (args: Partial<StorageAccessorInput>) => {
    const made = planOf({ prepare, browse: { proxy, credentials }, ...args });
    const [job, pod] = [jobOf(made), accessorOf(made, { credentials: "mark" })] as unknown as {
      spec: { template: { metadata: Record<"labels" | "annotations", object> } };
    }[];
    return [job?.spec.template.metadata, pod?.spec.template.metadata];
  };
  const [job, pod] = templates({});
  expect([job?.annotations, pod?.annotations]).toEqual([undefined, { "drawbridge.dev/credentials": "mark" }]);
  expect(templates(own)).toEqual([
    { labels: { ...job?.labels, ...own.pod.labels }, annotations: own.pod.annotations },
    {
      labels: { ...pod?.labels, ...own.pod.labels },
      annotations: { ...pod?.annotations, ...own.pod.annotations },
    },
  ]);
  expect(() => planOf({ pod: { labels: { "drawbridge.dev/node-group": "x" } } })).toThrow(
    'pod.labels["drawbridge.dev/node-group"]: is set by drawbridge; choose another key',
  );
});

describe("dufs's rules", () => {
  it("give each user a right, and nobody else any", () => {
    const users = [
      { user: "alice", write: false },
      { user: "bob", write: true },
    ];
    expect(accessRules(users, ["alices-password", "bobs-password"])).toBe(
      "alice:alices-password@/:ro|bob:bobs-password@/:rw",
    );
  });

  it("are checked when a password becomes known late", () => {
    expect(() => accessRules([{ user: "alice", write: false }], ["short"])).toThrow(
      "browse.credentials[0].password is too short; use at least 12 characters, for example from: openssl rand -hex 16",
    );
    expect(() => accessRules([{ user: "alice", write: false }], ["a b"])).toThrow(
      "for example from: openssl rand -hex 16; has characters that dufs does not accept; use printable ASCII",
    );
  });

  it("have a mark that changes with them and with the storage", () => {
    const marks = [
      slowMark(planOf().path, "a"),
      slowMark(planOf().path, "a"),
      slowMark(planOf().path, "b"),
      slowMark(planOf({ name: "other" }).path, "a"),
    ];
    expect(marks[0]).toBe(marks[1]);
    expect(new Set(marks).size).toBe(3);
  });
});

/** Containers of a file server's pod: name, arguments, and whether the volume is writable. */
function served(fileServer: NonNullable<StorageAccessorInput["browse"]>) {
  const made = planOf({ browse: fileServer });
  const { spec } = accessorOf(made) as unknown as {
    spec: { template: { spec: { containers: Container[] } } };
  };
  return spec.template.spec.containers;
}

interface Container {
  name: string;
  args: string[];
  volumeMounts: { name: string; readOnly: boolean }[];
}

describe("the file server", () => {
  it("allows what is allowed, one by one, and writing only where somebody may write", () => {
    const actions = ["upload", "search", "archive"] as const;
    const readers = served({ proxy, credentials, actions: [...actions] })[0];
    expect(readers?.args.slice(9)).toEqual(["--allow-search", "--allow-archive"]);
    const writers = served({
      proxy,
      credentials: [...credentials, { user: "bob", password: "correct-horse-battery", write: true }],
      actions: [...actions],
    })[0];
    expect(writers?.args.slice(9)).toEqual(["--allow-upload", "--allow-search", "--allow-archive"]);
    expect(writers?.volumeMounts[0]).toEqual({ name: "storage", mountPath: "/data" });
  });

  it("keeps its name while it is off: the Service stays", () => {
    const made = planOf({ browse: { proxy, enabled: false } });
    expect(fileServerService(made)).toEqual({
      apiVersion: "v1",
      kind: "Service",
      metadata: {
        name: "models-files",
        namespace: "team-a",
        labels: made.labels,
        annotations: { "pulumi.com/skipAwait": "true" },
      },
      spec: {
        type: "ClusterIP",
        selector: made.selector,
        ports: [{ name: "http", port: 5000, targetPort: 5000, protocol: "TCP", appProtocol: "http" }],
      },
    });
  });
});

describe("a preparation", () => {
  const prepare = { image: "tools:1", command: ["sh", "-c"], args: ["echo seeded > README.txt"] };

  it("has its environment as it is written, in one order, dollar signs included", () => {
    const job = jobOf(planOf({ prepare: { ...prepare, env: { B: "$(A)", A: "1" } } }));
    expect(job).toHaveProperty("spec.template.spec.containers[0].env", [
      { name: "A", value: "1" },
      { name: "B", value: "$$(A)" },
    ]);
  });

  const why = "Job was active longer than specified deadline";
  const see = "see: kubectl -n team-a logs job/models-prepare-1";
  const failed = { type: "Failed", status: "True", reason: "DeadlineExceeded", message: why };
  it.each<[string, JobReport | undefined, string, string]>([
    ["no Job", undefined, "Ready", ""],
    ["a new Job", {}, "Preparing Running", `it has not ended; ${see}`],
    [
      "a Job that has failed once",
      { conditions: [{ ...failed, status: "False" }] },
      "Preparing Running",
      `it has not ended; ${see}`,
    ],
    ["a finished Job", { conditions: [{ type: "Complete", status: "True" }] }, "Ready Complete", ""],
    ["a failed Job", { conditions: [failed] }, "Failed DeadlineExceeded", `${why}; ${see}`],
  ])("with %s is told as a phase and why", (_, report, expected, message) => {
    const job = report && { name: "models-prepare-1", report };
    const { phase, conditions } = storageStatus({ namespace: "team-a", job, proxy: undefined });
    expect([phase, ...conditions.map(({ reason }) => reason)].join(" ")).toBe(expected);
    expect(conditions.map((one) => [one.status, one.message])).toEqual(
      report ? [[phase === "Ready", message]] : [],
    );
  });

  it("is told beside whether its proxy has an address", () => {
    const told = (isReached: boolean) =>
      storageStatus({
        namespace: "team-a",
        job: undefined,
        proxy: { name: "files", namespace: "files", isReached },
      });
    expect(told(true)).toEqual({
      phase: "Ready",
      conditions: [{ type: "ProxyRoute", status: true, reason: "Routed", message: "" }],
    });
    expect(told(false).conditions).toEqual([
      {
        type: "ProxyRoute",
        status: false,
        reason: "NoAddress",
        message: expect.stringContaining("browse.address"),
      },
    ]);
  });
});
