import { expect, it } from "vitest";
import { subjectsSchema } from "../../kubernetes/args.ts";
import { sshpodRole } from "./sshpod-role.ts";

const named = { name: "dev1-sshpod", namespace: "team-a", labels: { app: "dev1" } };

it("lets in to named pods only, without exec where the pod has its own sshd", () => {
  expect(sshpodRole({ ...named, pods: ["dev1-0"], exec: false })).toEqual({
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "Role",
    metadata: named,
    rules: [
      { apiGroups: [""], resources: ["pods"], verbs: ["get"], resourceNames: ["dev1-0"] },
      {
        apiGroups: [""],
        resources: ["pods/portforward"],
        verbs: ["get", "create"],
        resourceNames: ["dev1-0"],
      },
    ],
  });
});

it("adds exec for a pod into which sshd is brought", () => {
  expect(sshpodRole({ ...named, pods: ["a", "b"], exec: true }).rules).toEqual([
    { apiGroups: [""], resources: ["pods"], verbs: ["get"], resourceNames: ["a", "b"] },
    { apiGroups: [""], resources: ["pods/exec"], verbs: ["get", "create"], resourceNames: ["a", "b"] },
    { apiGroups: [""], resources: ["pods/portforward"], verbs: ["get", "create"], resourceNames: ["a", "b"] },
  ]);
});

it("covers the namespace for deployment-- and job--", () => {
  expect(sshpodRole({ ...named, exec: true }).rules).toEqual([
    { apiGroups: [""], resources: ["pods"], verbs: ["get", "list"] },
    { apiGroups: [""], resources: ["pods/exec"], verbs: ["get", "create"] },
    { apiGroups: [""], resources: ["pods/portforward"], verbs: ["get", "create"] },
    { apiGroups: ["apps"], resources: ["deployments"], verbs: ["get"] },
    { apiGroups: ["batch"], resources: ["jobs"], verbs: ["get"] },
  ]);
});

it("is given to nobody without a name", () => {
  expect(subjectsSchema.parse({})).toEqual({ users: [], groups: [] });
  expect(subjectsSchema.safeParse({ users: [""] }).error?.issues).toMatchObject([
    {
      path: ["users", 0],
      params: { problem: { message: "is empty; set the name of a user or group of the cluster" } },
    },
  ]);
});
