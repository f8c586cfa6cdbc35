import { expect, it } from "vitest";
import { parseGrant } from "./frp-grants.ts";

const tokenSha256 = "0f".repeat(32);
it.each([
  [{ data: { tokenSha256, clientDomain: "a.b" } }, { tokenSha256, clientDomain: "a.b" }],
  [{ data: { tokenSha256, clientDomain: "*.b" } }, { tokenSha256, clientDomain: "*.b" }],
  [{ data: { tokenSha256, more: 1 } }, { tokenSha256, clientDomain: undefined }],
  [{ data: {} }, undefined],
  [{}, undefined],
])("reads the ConfigMap %j", (configMap, expected) => {
  expect(parseGrant(configMap)).toEqual(expected);
});
