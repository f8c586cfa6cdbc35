import { describe, expect, it } from "vitest";
import { type ArgsError, parseArgs } from "../common/args-error.ts";
import { type StorageAccessorInput, storageAccessorSchema } from "./args.ts";
import { storageClaim } from "./claim.ts";
import { accessRules, rulesMark } from "./credentials.ts";
import { accessorDeployment } from "./deployment.ts";
import { guardConfig } from "./guard-config.ts";
import { accessorNetworkPolicy } from "./network-policy.ts";
import { planStorage } from "./plan.ts";
import { prepareJob } from "./prepare-job.ts";
import { storageRoute } from "./route.ts";
import { accessorService } from "./service.ts";
import { storageState } from "./state.ts";

const proxy = { name: "files", namespace: "web" };
const credentials = [{ user: "alice", password: "correct-horse-battery" }];
const jwt = { issuer: "https://id.example.com", jwks: '{"keys":[{}]}', values: ["team-a"] };

const plan = (args: Partial<StorageAccessorInput> = {}) =>
  planStorage(
    "models",
    parseArgs("StorageAccessor", "models", storageAccessorSchema, { namespace: "team-a", ...args }),
  );

const faults = (args: unknown): string[] => {
  try {
    parseArgs("StorageAccessor", "models", storageAccessorSchema, args);
    return [];
  } catch (error) {
    return (error as ArgsError).issues.map((issue) => `${issue.path}: ${issue.message}`);
  }
};

describe("storage arguments", () => {
  it("need a namespace only", () => {
    const { names, path, nodeGroup, size, accessMode, owner, accessor, wait } = plan();
    expect({ names, path, nodeGroup, size, accessMode, owner, accessor, wait }).toEqual({
      names: {
        claim: "models-storage",
        prepare: "models-prepare-1",
        accessor: "models-files",
        credentials: "models-credentials",
        guard: "models-guard",
      },
      path: "/storage/team-a/models",
      nodeGroup: "models",
      size: "20Gi",
      accessMode: "ReadWriteOnce",
      owner: { uid: 1000, gid: 1000 },
      accessor: undefined,
      wait: true,
    });
  });

  it.each([
    ["no namespace", {}, ["namespace: is missing; give a string"]],
    [
      "a name that would be cut",
      { namespace: "a", name: "x".repeat(51) },
      [
        `name: "${"x".repeat(51)}" is not usable as a storage's name; use at most 50 lower-case letters, digits and inner hyphens, starting with a letter`,
      ],
    ],
    [
      "an accessor that lets nobody in",
      { namespace: "a", accessor: { proxy } },
      ["accessor: lets nobody in; give credentials, jwt or both, or set enabled: false"],
    ],
    ["an accessor that is off", { namespace: "a", accessor: { proxy, enabled: false } }, []],
    [
      "an accessor beside ReadWriteOncePod",
      { namespace: "a", accessMode: "ReadWriteOncePod", accessor: { proxy, credentials } },
      [
        "accessMode: ReadWriteOncePod lets a single pod in, so the accessor would lock every container out; use ReadWriteOnce or ReadWriteMany, or leave accessor out",
      ],
    ],
    [
      "a right that nothing allows, and a user given twice",
      {
        namespace: "a",
        accessor: { proxy, credentials: [...credentials, { ...credentials[0], write: true }] },
      },
      [
        'accessor.credentials[1].user: "alice" is the user of credentials[0] too; give each user once',
        "accessor.credentials[1].write: has no effect: accessor.allow holds neither upload nor delete",
      ],
    ],
    [
      "a class for a claim that exists",
      { namespace: "a", claim: "old", storageClass: "fast" },
      ["storageClass: has no effect on the existing claim old; remove one of the two"],
    ],
    [
      "a copy from elsewhere, with a command",
      {
        namespace: "a",
        prepare: {
          image: "b:1",
          command: ["cp"],
          copyFrom: { name: "x", namespace: "b", claim: "x-storage" },
        },
      },
      [
        "prepare: has both copyFrom and a command; copy first, then run the command under another revision",
        'prepare.copyFrom.namespace: is "b", but a pod mounts volumes of its own namespace only; copy from a storage in "a"',
      ],
    ],
    [
      "a time limit of nothing and an unpinned image",
      { namespace: "a", prepare: { image: "busybox", timeLimitSeconds: 0 } },
      [
        'prepare.image: "busybox" is not a pinned image; add a tag other than "latest" or a digest, like "ubuntu:24.04" or "…@sha256:…"',
        "prepare.timeLimitSeconds: 0 is out of range; give a whole number of seconds from 1 to 604800",
      ],
    ],
    [
      "no key set",
      { namespace: "a", accessor: { proxy, jwt: { ...jwt, jwks: "{}" } } },
      ['accessor.jwt.jwks: is not a JSON Web Key Set; give its text, {"keys": […]}'],
    ],
  ])("with %s", (_, args, expected) => {
    expect(faults(args)).toEqual(expected);
  });

  it.each(["tiny-pw", "with a space inside", "has @/ inside it", "$6$looks-like-a-hash", "ünïcode-password"])(
    "refuse the password %j without repeating it",
    (password) => {
      const found = faults({
        namespace: "a",
        accessor: { proxy, credentials: [{ user: "alice", password }] },
      });
      expect(found).toHaveLength(1);
      expect(found[0]).toMatch(
        /^accessor\.credentials\[0\]\.password: (is too short|holds what dufs cannot take);/,
      );
      expect(found[0]).not.toContain(password);
    },
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
      "accessor.credentials[0].password is too short; give at least 12 characters, for example from: openssl rand -hex 16",
    );
  });

  it("have a mark that changes with them and with the storage", () => {
    const marks = [
      rulesMark(plan(), "a"),
      rulesMark(plan(), "a"),
      rulesMark(plan(), "b"),
      rulesMark(plan({ name: "other" }), "a"),
    ];
    expect(marks[0]).toBe(marks[1]);
    expect(new Set(marks).size).toBe(3);
  });
});

/** Containers of an accessor's pod: name, arguments, and whether the volume is writable. */
function served(accessor: NonNullable<StorageAccessorInput["accessor"]>) {
  const made = plan({ accessor });
  const { spec } = accessorDeployment(made, made.accessor ?? expect.fail("no accessor"), {}) as unknown as {
    spec: { template: { spec: { containers: Container[] } } };
  };
  return spec.template.spec.containers;
}

interface Container {
  name: string;
  args: string[];
  volumeMounts: { name: string; readOnly: boolean }[];
}

describe("the accessor", () => {
  it("is read-only unless said otherwise", () => {
    const [files] = served({ proxy, credentials });
    expect(files?.args).toEqual([
      "/data",
      "--bind",
      "0.0.0.0",
      "--port",
      "5000",
      "--path-prefix",
      "/storage/team-a/models",
    ]);
    expect(files?.volumeMounts).toEqual([{ name: "storage", mountPath: "/data", readOnly: true }]);
  });

  it("allows what is allowed, one by one, and writing only where somebody may write", () => {
    const allow = ["upload", "search", "archive"] as const;
    const readers = served({ proxy, credentials, allow: [...allow] })[0];
    expect(readers?.args.slice(7)).toEqual(["--allow-search", "--allow-archive"]);
    const writers = served({
      proxy,
      credentials: [{ user: "bob", password: "correct-horse-battery", write: true }],
      allow: [...allow],
    })[0];
    expect(writers?.args.slice(7)).toEqual(["--allow-upload", "--allow-search", "--allow-archive"]);
    expect(writers?.volumeMounts[0]?.readOnly).toBe(false);
  });

  it("puts its file servers on loopback behind a guard where tokens are taken", () => {
    const containers = served({ proxy, credentials, jwt });
    expect(containers.map(({ name, args }) => [name, args[2]])).toEqual([
      ["files", "127.0.0.1"],
      ["files-for-tokens", "127.0.0.1"],
      ["guard", "--disable-hot-restart"],
    ]);
  });

  it("is reached by the proxy's pods alone and reaches nobody", () => {
    const made = plan({ accessor: { proxy, credentials } });
    const { spec } = accessorNetworkPolicy(made, made.proxy ?? expect.fail("no proxy"));
    expect(spec).toEqual({
      podSelector: {
        matchLabels: {
          "app.kubernetes.io/component": "storage",
          "app.kubernetes.io/instance": "models",
          "drawbridge.dev/role": "accessor",
        },
      },
      policyTypes: ["Ingress", "Egress"],
      ingress: [
        {
          from: [
            {
              namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "web" } },
              podSelector: {
                matchLabels: {
                  "app.kubernetes.io/component": "storage-proxy",
                  "app.kubernetes.io/instance": "files",
                },
              },
            },
          ],
          ports: [{ port: 5000, protocol: "TCP" }],
        },
      ],
      egress: [],
    });
  });

  it("keeps its name while it is off: the Service stays, the route answers", () => {
    const made = plan({ accessor: { proxy: { ...proxy, mode: "istio" }, enabled: false } });
    expect(accessorService(made).metadata.name).toBe("models-files");
    const { spec } = storageRoute(made, made.proxy ?? expect.fail("no proxy")) as unknown as {
      spec: { http: { match: unknown; directResponse: { status: number } }[] };
    };
    expect(spec.http.map(({ match, directResponse }) => [match, directResponse.status])).toEqual([
      [[{ uri: { exact: "/storage/team-a/models" } }, { uri: { prefix: "/storage/team-a/models/" } }], 503],
    ]);
  });
});

describe("the guard", () => {
  const policies = (accessor: NonNullable<StorageAccessorInput["accessor"]>) => {
    const made = plan({ accessor });
    const on = made.accessor ?? expect.fail("no accessor");
    const text = JSON.stringify(guardConfig(made, on, on.jwt ?? expect.fail("no jwt"), jwt.jwks));
    return {
      text,
      names: [...text.matchAll(/"(health|token|password)":\{"permissions"/g)].map(([, name]) => name),
    };
  };

  it("lets requests without a token pass to the password only where there are passwords", () => {
    expect(policies({ proxy, credentials, jwt }).names).toEqual(["health", "token", "password"]);
    const alone = policies({ proxy, jwt });
    expect(alone.names).toEqual(["health", "token"]);
    expect(alone.text).not.toContain("allow_missing");
  });
});

describe("a preparation", () => {
  const prepare = { image: "tools:1", command: ["sh", "-c"], args: ["echo seeded > README.txt"] };

  it("runs once as the owner, with an end", () => {
    const made = plan({ prepare, nodeSelector: { disk: "fast" } });
    const job = prepareJob(made, made.prepare ?? expect.fail("no preparation")) as unknown as {
      metadata: { name: string };
      spec: {
        backoffLimit: number;
        activeDeadlineSeconds: number;
        template: {
          spec: { restartPolicy: string; nodeSelector: unknown; securityContext: { runAsUser: number } };
        };
      };
    };
    const { backoffLimit, activeDeadlineSeconds, template } = job.spec;
    expect([job.metadata.name, backoffLimit, activeDeadlineSeconds]).toEqual(["models-prepare-1", 2, 3600]);
    expect([template.spec.restartPolicy, template.spec.nodeSelector]).toEqual(["Never", { disk: "fast" }]);
    expect(template.spec.securityContext.runAsUser).toBe(1000);
  });

  it("that copies runs where the source is", () => {
    const copyFrom = { name: "base", namespace: "team-a", claim: "base-storage" };
    const made = plan({ prepare: { image: "tools:1", copyFrom } });
    const text = JSON.stringify(prepareJob(made, made.prepare ?? expect.fail("no preparation")));
    expect(text).toContain('"command":["cp","-R","-P","/from/.","/workspace/"]');
    expect(text).toContain('"labelSelector":{"matchLabels":{"drawbridge.dev/node-group":"base"}}');
    expect(text).toContain('{"claimName":"base-storage","readOnly":true}');
  });

  it.each([
    ["no Job", undefined, "Ready"],
    ["a new Job", {}, "Preparing"],
    ["a finished Job", { conditions: [{ type: "Complete", status: "True" }] }, "Ready"],
    [
      "a failed Job",
      {
        conditions: [
          {
            type: "Failed",
            status: "True",
            reason: "DeadlineExceeded",
            message: "Job was active longer than specified deadline",
          },
        ],
      },
      "Failed: DeadlineExceeded: Job was active longer than specified deadline",
    ],
  ])("with %s is told as a state", (_, status, expected) => {
    expect(storageState(status)).toBe(expected);
  });
});

describe("the claim", () => {
  it("is the storage's own, or one that exists", () => {
    expect(storageClaim(plan({ size: "1Ti", storageClass: "fast" }))).toMatchObject({
      metadata: { name: "models-storage", annotations: { "pulumi.com/skipAwait": "true" } },
      spec: {
        accessModes: ["ReadWriteOnce"],
        storageClassName: "fast",
        resources: { requests: { storage: "1Ti" } },
      },
    });
    expect(plan({ claim: "kept-storage" }).names.claim).toBe("kept-storage");
  });
});
