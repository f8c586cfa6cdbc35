import { expect, test } from "vitest";
import { UNKNOWN } from "../values/property.ts";
import { diffConfig } from "./diff-config.ts";

const kubeconfig = (server: string, token: string) =>
  JSON.stringify({
    clusters: [{ name: "c", cluster: { server } }],
    users: [{ name: "u", user: { token } }],
    contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
    "current-context": "x",
  });
const here = { kubeconfig: kubeconfig("https://here", "1") };

test("another server is another cluster; another token is not", () => {
  expect(diffConfig(here, { kubeconfig: kubeconfig("https://there", "1") })).toEqual({
    changed: ["kubeconfig"],
    replaces: ["kubeconfig"],
  });
  expect(diffConfig(here, { kubeconfig: kubeconfig("https://here", "2") })).toEqual({
    changed: ["kubeconfig"],
    replaces: [],
  });
});

test("settings that are no cluster's replace nothing", () => {
  expect(diffConfig(here, { ...here, namespace: "n" })).toEqual({ changed: ["namespace"], replaces: [] });
  expect(diffConfig(here, here)).toEqual({ changed: [], replaces: [] });
});

test("a cluster that is not known yet may be another one", () => {
  expect(diffConfig(here, { kubeconfig: UNKNOWN })).toEqual({
    changed: ["kubeconfig"],
    replaces: ["kubeconfig"],
  });
});
