/** The container stands for a role of the cloud, without a token of the cluster's. */
import { DevContainer } from "@drawbridge-iac/drawbridge";
import * as pulumi from "@pulumi/pulumi";
import { base } from "./base.ts";

export default function program() {
  const role = pulumi.output("arn:aws:iam::123456789012:role/team-a");
  new DevContainer("dev1", {
    ...base(),
    serviceAccount: { create: true, annotations: { "eks.amazonaws.com/role-arn": role } },
  });
}
