import { expect, test } from "vitest";
import { parseTypeToken } from "./type-token.ts";

test.each([
  ["kubernetes:core/v1:ConfigMap", { group: "", apiVersion: "v1", kind: "ConfigMap" }],
  ["kubernetes:apps/v1:StatefulSet", { group: "apps", apiVersion: "apps/v1", kind: "StatefulSet" }],
  [
    "kubernetes:networking.istio.io/v1:VirtualService",
    { group: "networking.istio.io", apiVersion: "networking.istio.io/v1", kind: "VirtualService" },
  ],
])("%s", (token, kind) => {
  expect(parseTypeToken(token)).toEqual(kind);
});

test.each([
  [
    "kubernetes:helm.sh/v3:Release",
    "Helm charts and releases (kubernetes:helm.sh/v3:Release) are not supported by the stand-in provider. Declare the Kubernetes objects themselves, or install the official provider.",
  ],
  [
    "kubernetes:yaml/v2:ConfigFile",
    "YAML files and groups (kubernetes:yaml/v2:ConfigFile) are not supported by the stand-in provider. Declare the Kubernetes objects themselves, or install the official provider.",
  ],
  [
    "kubernetes:core/v1:NamespacePatch",
    "Patch resources (kubernetes:core/v1:NamespacePatch) are not supported by the stand-in provider. Declare the Kubernetes objects themselves, or install the official provider.",
  ],
  [
    "kubernetes:core/v1:ConfigMapList",
    '"kubernetes:core/v1:ConfigMapList" is a list, which cannot be created. Declare each ConfigMap as a resource of its own.',
  ],
  [
    "aws:s3/bucket:Bucket",
    '"aws:s3/bucket:Bucket" is no type of the Kubernetes provider. Its types look like kubernetes:apps/v1:StatefulSet.',
  ],
  [
    "kubernetes:core:ConfigMap",
    '"kubernetes:core:ConfigMap" has no group and version. The Kubernetes provider\'s types look like kubernetes:apps/v1:StatefulSet.',
  ],
])("%s is refused", (token, message) => {
  expect(() => parseTypeToken(token)).toThrow(message);
});
