import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { parseAcceptances } from "./acceptances.ts";
import { alice, bob } from "./attacks.fixture.ts";
import { findingNames, judge } from "./guard.ts";
import { renderReport } from "./report.ts";
import { inline } from "./report-text.ts";
import { change, edited, today, whole } from "./sample.fixture.ts";

const lost = change("PersistentVolumeClaim", "dev1-home", { op: "delete", of: "DevContainer dev1" });

const container = {
  namespace: "team-a",
  image: "registry.example.com/image:1",
  authorizedKeys: [alice],
  hostKey: { seed: "[secret]" },
  home: { size: "20Gi" },
  access: { gateway: { name: "gw", namespace: "gw", domain: "dev.example.com" } },
};
const dev = (name: string, more: object) =>
  edited("DevContainer", name, container, { ...container, ...more });

/** The entries for the acceptance file, as a maintainer copies them. */
function entriesOf(text: string): unknown[] {
  const yaml = /^(`{3,})yaml\n([\s\S]*?)\n\1$/m.exec(text)?.[2] ?? "";
  return parse(yaml.replaceAll("<last day>", "2026-06-15")) as unknown[];
}

const report = (changes: Parameters<typeof whole>[0], limit?: number) =>
  renderReport(changes, judge(whole(changes), [], today), limit === undefined ? {} : { limit });

describe("the report", () => {
  it("says in words what changes, what it costs, and who may log in", () => {
    const changes = dev("dev1", {
      authorizedKeys: [bob],
      home: { size: "40Gi" },
      resources: { memory: "32Gi" },
    });
    expect(report(changes)).toBe(`## drawbridge: nothing dangerous

Resources: 4 to update.

### Who gains and loses what

- the key SHA256:/O8VbLGTht882NcgDU7x1n/5SDF+k1JkYPeNBZ4W3pg ("bob") gains access to dev1
- the key SHA256:hWiiFCdFrWMlecdWRDRKs1WCY90fN1/6wqemuALhdmA ("alice") loses access to dev1

### What runs

- pods that restart, homes kept: dev1

### Cost

- storage: +20 GiB

### What changes

- DevContainer dev1
  - home.size: 20Gi → 40Gi
  - resources.memory: 2Gi → 32Gi
`);
  });

  it("tells of a key whose options come in another order, since sshd lets a later one count", () => {
    const changes = edited(
      "DevContainer",
      "dev1",
      { ...container, authorizedKeys: [`pty,restrict ${alice}`] },
      { ...container, authorizedKeys: [`restrict,pty ${alice}`] },
    );
    expect(report(changes)).toContain('("alice") opens dev1 with other limits: restrict,pty\n');
  });

  it("counts no component that a release changes by its version alone", () => {
    const of = (version: string, more: object = {}) => ({ ...container, ...more, library: { version } });
    const upgraded = edited("DevContainer", "dev1", of("0.1.0"), of("0.2.0"));
    expect(report(upgraded)).toBe("## drawbridge: nothing dangerous\n\nNo change.\n");
    const moved = edited("DevContainer", "dev1", of("0.1.0"), of("0.2.0", { resources: { memory: "4Gi" } }));
    expect(report(moved)).toContain("\n\nResources: 2 to update.\n");
  });

  it("stays short where a hundred containers change alike", () => {
    const names = Array.from({ length: 100 }, (_, index) => `dev${index + 1}`);
    const changes = names.flatMap((name) =>
      dev(name, { authorizedKeys: [alice, bob], home: { size: "40Gi" }, resources: { memory: "32Gi" } }),
    );
    expect(report(changes)).toBe(`## drawbridge: nothing dangerous

Resources: 400 to update.

### Who gains and loses what

- the key SHA256:/O8VbLGTht882NcgDU7x1n/5SDF+k1JkYPeNBZ4W3pg ("bob") gains access to dev1 (the same for dev2 to dev100)

### What runs

- pods that restart, homes kept: dev1 to dev100

### Cost

- storage: +2000 GiB

### What changes

- DevContainer dev1 to dev100
  - home.size: 20Gi → 40Gi
  - resources.memory: 2Gi → 32Gi
`);
  });

  it("fits a comment where a hundred containers change each in its own way, and half of it is refused", () => {
    const changes = Array.from({ length: 100 }, (_, index) => [
      ...dev(`dev${index}`, { image: `b:${index}` }),
      change("PersistentVolumeClaim", `old${index}-home`, { op: "delete", of: `DevContainer old${index}` }),
    ]).flat();
    const text = report(changes);
    expect(text.length).toBeLessThan(60_000);
    expect(text.match(/^- \[\*\*volume-lost\*\*\].*$/gm)).toEqual([
      "- [**volume-lost**](docs/guard-rules.md#volume-lost) PersistentVolumeClaim old0-home: the volume old0-home would be deleted with its data (the same for old1 to old99)",
    ]);
    expect(
      text.match(/^- DevContainer dev\d+: image: registry.example.com\/image:1 → b:\d+$/gm),
    ).toHaveLength(100);
    expect(entriesOf(text)).toHaveLength(100);
  });

  it("leads only to headings that the page has", () => {
    const page = readFileSync(new URL("../../../docs/guard-rules.md", import.meta.url), "utf8");
    const headings = [...page.matchAll(/^## (.*)$/gm)].map(([, text = ""]) =>
      text.toLowerCase().replaceAll(" ", "-"),
    );
    const led = [...report([lost]).matchAll(/\(docs\/guard-rules\.md#([^)]*)\)/g)].map(
      ([, heading]) => heading,
    );
    expect(led).toEqual(["volume-lost", "accepting-a-danger"]);
    expect(headings).toEqual(expect.arrayContaining(led));
  });

  const names = ["ann", "bea", "cem", "dan", "eva", "fay", "gus", "hal"];

  it("hides none of the names of who gains access", () => {
    const changes = names.flatMap((name) => dev(name, { authorizedKeys: [alice, bob] }));
    expect(report(changes)).toContain(
      "gains access to ann (the same for bea, cem, dan, eva, fay, gus, hal)\n",
    );
  });

  it("hides none of the names of what is refused", () => {
    const changes = names.map((name) =>
      change("PersistentVolumeClaim", `${name}-home`, { op: "delete", of: `DevContainer ${name}` }),
    );
    expect(report(changes)).toContain("(the same for bea, cem, dan, eva, fay, gus, hal)\n");
  });

  it("has an entry for each finding, with which each is accepted and no other", () => {
    const evil = change("ConfigMap", "x", { op: "create", type: 'evil:"```\n</details>: {# Thing' } as never);
    const changes = [lost, change("PersistentVolumeClaim", "dev2-home", { op: "delete" }), evil];
    const entries = entriesOf(report(changes));
    expect(entries).toHaveLength(3);
    const accept = (...accepted: unknown[]) =>
      judge(whole(changes), parseAcceptances(accepted, "x", Object.keys(findingNames), today), today);
    expect(accept(...entries).code).toBe(0);
    for (const entry of entries) expect(accept(entry).accepted).toHaveLength(1);
  });

  it("has an entry for a name with the sign that stands for any text", () => {
    const changes = [change("ConfigMap", "*", { op: "create", type: "a:b:*" } as never)];
    const accepted = parseAcceptances(entriesOf(report(changes)), "x", Object.keys(findingNames), today);
    const other = [change("ConfigMap", "evil", { op: "create", type: "a:b:evil" } as never)];
    expect([changes, other].map((some) => judge(whole(some), accepted, today).code)).toEqual([0, 2]);
  });

  it("leaves room for what the entries are about", () => {
    const changes = Array.from({ length: 900 }, (_, index) =>
      change("PersistentVolumeClaim", `dev${index}-home`, { op: "delete", of: `DevContainer dev${index}` }),
    );
    const text = report(changes);
    expect(text.length).toBeLessThan(60_000);
    const count = entriesOf(text).length;
    expect(count).toBeGreaterThan(100);
    expect(text).toContain(`\n# ${900 - count} more do not fit here; --limit gives more room\n`);
    expect(text).toContain("(the same for dev1 to dev899)");
  });

  it("closes Pulumi's words where they are cut", () => {
    const failures = [{ rule: "preview-failed" as const, text: "a long story\n".repeat(300) }];
    const verdict = judge({ changes: [], failures }, [], today);
    const text = renderReport([], verdict, { limit: 1000 });
    expect(text.length).toBeLessThanOrEqual(1000);
    expect(text).toMatch(/a long story\n```\n\n_The report was cut/);
  });

  it("says who gains and loses what, in the words of the arguments", () => {
    const groups = (...names: string[]) => ({ namespace: "team-a", viewers: { groups: names } });
    const text = report(edited("TeamMembers", "members", groups("a", "b"), groups("b", "c")));
    expect(text.match(/^- .*viewers\.groups.*$/gm)).toEqual([
      "- TeamMembers members: viewers.groups has c too",
      "- TeamMembers members: viewers.groups no longer has a",
      '- TeamMembers members: viewers.groups: ["a","b"] → ["b","c"]',
    ]);
  });

  it("says how many sessions a changed listener ends, and what to do", () => {
    const listener = change("Gateway", "gw-listeners", {
      of: "SshGateway gw",
      before: { spec: { a: 1 } },
      after: { spec: { a: 2 } },
    });
    const route = change("VirtualService", "dev1-route", {
      op: "same",
      before: { spec: { gateways: ["gw/gw"] } },
      after: { spec: { gateways: ["gw/gw"] } },
    });
    const other = { ...route, urn: "other", before: { spec: { gateways: ["gw/gw2"] } } };
    expect(report([listener, route, other])).toContain(
      "- sessions through the gateway gw end after its drain time (1 of its routes are in this preview); do it at night,",
    );
    expect(report([listener])).toContain("(its routes are in other stacks)");
  });

  it("keeps what a program writes inside its line", () => {
    const evil = change("ConfigMap", "x", {
      op: "create",
      type: "evil:index:Thing\n\n# nothing dangerous <b>",
    } as never);
    const text = report([evil]);
    expect(text.split("\n")[0]).toBe("## drawbridge: not judged");
    expect(inline("a 04da6b54-80e4-46f7-96ec-b56ff0331ba9")).toBe("a (known at `pulumi up`)");
    expect(inline("[all is well](https://example.com)")).toBe("[all is well]\\(https://example.com)");
    expect(text).toContain("a evil:index:Thing # nothing dangerous &lt;b&gt; gives");
    expect(text.match(/^# /gm)).toBeNull();
  });

  it("calls nobody and hides nothing, whatever a value says, and its entries accept just that", () => {
    const evil = "@all \u202eesrever\u2069 \u200b@team";
    const edits = dev("dev1", { env: { A: evil } });
    const name = change("PersistentVolumeClaim", evil, { op: "delete" });
    const failures = [{ rule: "preview-failed", object: "preview", text: `${evil}\nmore` }] as never;
    const verdict = judge({ changes: [...edits, name], failures }, [], today);
    const text = renderReport([...edits, name], verdict, {});
    const outside = text.replace(/^(`{3,})\w+\n[\s\S]*?\n\1$/gm, "");
    expect(outside).toContain("\uff20all");
    expect(outside).not.toMatch(/(?<!\w)@/);
    expect(text).not.toMatch(/[\u200b\u202e\u2069]/);
    expect(text).toContain("\\u202eesrever\\u2069 \\u200b@team\nmore");
    const entries = parseAcceptances(entriesOf(text), "accept.yaml", Object.keys(findingNames), today);
    expect(judge(whole([...edits, name]), entries, today)).toMatchObject({ refused: [], unjudged: [] });
  });

  it("puts what is refused first, and keeps it when cut", () => {
    const many = Array.from({ length: 200 }, (_, index) =>
      change("ConfigMap", `c${index}`, { op: "create" }),
    );
    const cut = report([...many, lost], 1000);
    expect(cut).toMatch(/^## drawbridge: refused\n/);
    expect(cut).toContain(
      "PersistentVolumeClaim dev1-home: the volume dev1-home would be deleted with its data",
    );
    expect(cut).toMatch(
      /_The report was cut to fit; \d+ further sections were left out\. --limit gives more room\._\n\n<details>/,
    );
    expect(cut.length).toBeLessThanOrEqual(1000);
  });

  it("names what stands beside a component's own objects", () => {
    const beside = change("ConfigMap", "mine", { op: "create", before: undefined, of: "DevContainer dev1" });
    const parent = "urn:pulumi:stack::project::drawbridge:index:DevContainer::dev1";
    const own = edited("DevContainer", "dev1", undefined, container);
    expect(report([...own, { ...beside, parent }])).toContain(
      "\n- DevContainer dev1 is new\n- other resources: ConfigMap mine is new\n",
    );
  });

  it("says what events leave out, where there are components", () => {
    const told = (changes: Parameters<typeof whole>[0]) =>
      renderReport(changes, judge({ ...whole(changes), isOfEvents: true }, [], today));
    const options = "options such as ignoreChanges and deletedWith";
    expect(told(dev("dev1", {}))).toBe(
      `## drawbridge: nothing dangerous\n\nNo change.\n\nEvents leave out ${options}; \`pulumi preview --json\` without streaming shows them.\n`,
    );
    expect(told([lost])).not.toContain("Events");
    expect(report(dev("dev1", {}))).not.toContain("Events");
  });

  it("says so when nothing changes", () => {
    expect(report([change("ConfigMap", "x", { op: "same" })])).toBe(
      "## drawbridge: nothing dangerous\n\nNo change.\n",
    );
  });
});

/** Each object of a component in the place of what it was, as Pulumi shows it. */
const replaced = (before: object, after: object) =>
  edited("DevContainer", "dev1", { ...container, ...before }, { ...container, ...after }).flatMap((one) =>
    one.isCustom && one.before !== undefined && one.after !== undefined && one.op !== "same"
      ? [
          { ...one, op: "create-replacement" },
          { ...one, op: "replace" },
          { ...one, op: "delete-replaced", after: undefined },
        ]
      : [one],
  );
const namespace = (op: string, more: object = {}) =>
  change("Namespace", "team-a", {
    op,
    before: { metadata: { name: "team-a" } },
    after: op === "delete" ? undefined : { metadata: { name: "team-a" } },
    ...more,
  });
const otherKey = (changes: ReturnType<typeof dev>) =>
  changes.map((one) => {
    if (!one.name.endsWith("-host-key")) return one;
    const { before: _, ...rest } = one;
    return { ...rest, op: "update", before: one.after, differing: ["data"] };
  });

it.each<[string, Parameters<typeof whole>[0], RegExp]>([
  [
    "moved to another namespace",
    replaced({}, { namespace: "team-b" }).map((one) => ({ ...one, retained: true })),
    /replaced by an empty one[\s\S]*pods that lose a volume or their host key: dev1/,
  ],
  [
    "renamed",
    replaced({}, { name: "dev9" }).map((one) => ({ ...one, retained: true })),
    /replaced by an empty one[\s\S]*pods that lose a volume or their host key: dev1/,
  ],
  [
    "removed with the namespace that it is in",
    [...edited("DevContainer", "dev1", container, undefined), namespace("delete")],
    /every home and storage in it[\s\S]*DevContainer dev1 is removed\n/,
  ],
  [
    "restarted in a namespace that is replaced",
    [...dev("dev1", { image: "a:2" }), namespace("replace")],
    /every volume in it deleted[\s\S]*pods that lose a volume or their host key: dev1/,
  ],
  [
    "switched on with a host key that may be another",
    otherKey(edited("DevContainer", "dev1", { ...container, running: false }, container)).map((one) =>
      one.name.endsWith("-host-key")
        ? { ...one, before: { data: "[secret]" }, after: { data: "[secret]" } }
        : one,
    ),
    /host key of dev1 would change[\s\S]*pods that lose a volume or their host key: dev1/,
  ],
])("says of a container that is %s nothing that contradicts what is refused", (_, changes, said) => {
  const text = report(changes);
  expect(text).toMatch(said);
  expect(text).not.toMatch(/homes kept|volumes are kept|with their homes/);
});

it("says that volumes are kept where nothing takes them", () => {
  const text = (changes: Parameters<typeof whole>[0]) => report(changes);
  const removed = edited("DevContainer", "dev1", container, undefined);
  expect(text(removed)).toContain("is removed; its volumes are kept");
  expect(text([...removed, namespace("delete", { retained: true })])).toContain("its volumes are kept");
  expect(text(dev("dev1", { image: "a:2" }))).toContain("pods that restart, homes kept: dev1");
});
