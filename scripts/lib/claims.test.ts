/** What the pages on security promise: each item of these parts, by its first words, and the tests that show it. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

type Test = readonly [file: string, says: string];
const guard = (file: string, says: string): Test => [`packages/guard/src/${file}.test.ts`, says];
const at = (file: string, says: string): Test => [`test/${file}.test.ts`, says];
const inWords = at("long/secrets", "no piece of a secret is in preview, up, report or validate");

const claims: Readonly<
  Record<string, Readonly<Record<string, readonly [begin: string, ...tests: Test[]][]>>>
> = {
  "SECURITY.md": {
    "What counts": [
      [
        "A team's deployer, a person with a key",
        at("lab/attacks", "a neighbour is refused, and his own work is not"),
        at("long/sshpod-rights", "enters no other pod, and no Deployment or Job"),
        at("lab/container", "keep sessions from API server, kubelet, metadata and other teams"),
      ],
      [
        "Anybody gets through a gateway",
        at("long/attacks-gateway", "no route of the gateway leads to anything but a declared container"),
        at("long/gateway-mesh", "no other port of the gateway's address is open"),
      ],
      ["A host key can be swapped", at("lab/attacks", "the victim logs in to what is his")],
      ["The guard says", guard("openings", "areStopped(openings"), at("long/guard", "stops its change")],
      ["A secret of a stack", inWords],
    ],
  },
  "docs/security.md": {
    Secrets: [
      ["A secret may stand", at("long/hiding", "hides of a secret what a plain one has hidden")],
      [
        "Anywhere else it is refused",
        at("long/hiding", "refuses a secret anywhere else, before an object is made"),
      ],
      ["No fault, report or log", inWords, at("engine/secrets", "no piece of a secret is in preview")],
      ["In a stack's file", at("engine/stacks", "refuses a secret in plain text without repeating it")],
      [
        "The guard does not judge a digest",
        guard("preview", "secrets in plain"),
        at("engine/secrets", "in a stream of events, is hidden by the guard"),
      ],
    ],
    "A team's namespace": [
      ["Pod Security", at("long/team-role", "has what the platform gave the namespace")],
      ["a NetworkPolicy", at("lab/attacks", "a team's pod that no policy names reaches nobody")],
      ["the Role", at("lab/attacks", "hands on no right that it has not, and those that it has")],
      ["quota and limits", at("long/team-role", "is held by the quota"), at("long/team-at-its-bound", "it(")],
    ],
    "What the guard keeps apart": [
      [
        "nothing reaches into a namespace",
        guard("whose", "areStopped(reaching"),
        guard("hostile", "areStopped("),
      ],
      ["no container has the host key", guard("identities", "the token of another's frpc")],
      [
        "no program reads a Secret",
        guard("reads", "a read of another namespace's Secret"),
        at("engine/guard-brought", "secrets in the open"),
      ],
      [
        "no provider runs",
        guard("providers", "areStopped("),
        guard("cluster", "the first provider of a stack"),
        guard("images", "all images by the stack's registry"),
      ],
    ],
  },
  "docs/preview-guard.md": {
    preview: [
      ["0", guard("main", "ends with 0 where nothing is dangerous")],
      ["1", guard("main", "ends with 1 where something is refused")],
      ["2", guard("main", "ends with 2 where Pulumi failed, and shows its words")],
    ],
    "How it judges": [
      [
        "A component's objects are judged",
        at("long/guard-made-again", "makes the objects of every component again"),
      ],
      ["What differs is foreign", guard("ours/made-again", "tells of an object that is left out")],
      ["Other objects", guard("foreign/hiding", "areStopped("), guard("everyday", "is daily work")],
      ["Operations are judged", guard("rules", "it("), guard("cluster", "a provider that leads elsewhere")],
      ["Secrets stay whose they are", guard("identities", "areStopped("), guard("reads", "areStopped(")],
      ["Programs that run for all", guard("providers", "areStopped("), guard("images", "areStopped(")],
      ["Pulumi failed", at("engine/guard-failures", "that is interrupted is not judged")],
      ["the stack is empty", at("engine/guard-failures", "that registers nothing is not judged")],
      ["components have another version", guard("guard", "is not judged, and says what to install")],
      ["it shows a component's secret", guard("preview", "secrets in plain")],
      ["it has parts that this guard does not know", guard("guard", "reading")],
    ],
    "Whose a namespace is": [
      ["namespaces: [app]", guard("whose", "where the bounds say so")],
      ["namespaces: { team-a: team-a }", guard("whose", "where the bounds say so")],
      [
        "namespace: team-a",
        guard("whose", "where its stack's file alone says so, and the stack was there before"),
      ],
      ["what a component refers to", guard("whose", "areStopped(byArguments")],
      ["an object that no component made", guard("whose", "a pod that mounts a home")],
      [
        "a new component",
        guard("places", "a container in another's namespace"),
        guard("whose", "areStopped(neighbours"),
      ],
    ],
  },
};

/** The items of lists, and the rows of tables by their first cell, of a part of a page, without marks. */
function itemsOf(page: string, part: string): string[] {
  const text = readFileSync(page, "utf8").replace(/^```[\s\S]*?^```/gm, "");
  const [own = ""] = text
    .slice(text.search(new RegExp(`^#+ (preview-)?${part}|^#+ ${page}`, "m")))
    .split(/\n(?=## )/);
  return own
    .split("\n")
    .filter(
      (line, index, all) =>
        /^(- |\d+\. |\| )/.test(line) && !/^\|[-| ]+$/.test(all[index + 1] ?? "") && !/^\|[-| ]+$/.test(line),
    )
    .map((line) =>
      line
        .replace(/^(- |\d+\. )/, "")
        .replace(/^\| ([^|]*) \|.*/, "$1")
        .replace(/\[([^\]]*)\]\([^)]*\)?/g, "$1")
        .replaceAll(/[*`]/g, ""),
    );
}

describe.each(
  Object.entries(claims).flatMap(([page, parts]) =>
    Object.entries(parts).map(([part, own]) => ({ page, part, own })),
  ),
)("$page, $part", ({ page, part, own }) => {
  it("has a claim here for each item", () => {
    const items = itemsOf(page, part);
    expect(items.map((item, index) => item.startsWith(own[index]?.[0] ?? "\0"))).toEqual(own.map(() => true));
  });
  it.each(own)("%s: is shown by tests that there are", (_begin, ...tests) => {
    expect(tests.length).toBeGreaterThan(0);
    expect(tests.filter(([file, says]) => !readFileSync(file, "utf8").includes(says))).toEqual([]);
  });
});
