import { describe, expect, it } from "vitest";
import { slowMark } from "../kit/crypto.ts";
import { fileServerDeployment } from "./deployment.ts";
import { accessRules } from "./dufs.ts";
import { credentials, planOf, proxy } from "./plan.fixture.ts";
import { prepareJob } from "./prepare-job.ts";
import { type JobReport, storageStatus } from "./status.ts";

type Plan = ReturnType<typeof planOf>;
const jobOf = (plan: Plan) => prepareJob(plan, plan.prepare ?? expect.fail("no preparation"));

it("takes no label of ours in the place of its own", () => {
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

it("allows visitors to write only where one of them may", () => {
  const made = planOf({ browse: { proxy, credentials, actions: ["upload", "search", "archive"] } });
  const deployment = fileServerDeployment(made, made.fileServer ?? expect.fail("no file server"), {});
  const [files] = (deployment.spec as { template: { spec: { containers: { args: string[] }[] } } }).template
    .spec.containers;
  expect(files?.args.slice(9)).toEqual(["--allow-search", "--allow-archive"]);
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
