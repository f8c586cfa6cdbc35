/**
 * What a team's objects take in etcd: as many of each kind as its quota counts, each up to a size by which all of them
 * together stay below the Team's `etcdSize`.
 */
import { defaultEtcdSize } from "../istio/team-limits.ts";
import { type AdmissionPolicy, mayEverywhere } from "../kubernetes/admission.ts";
import { etcdSizeAnnotation } from "../kubernetes/labels.ts";

/** Kinds that hold people's data may be larger. They share these percents of the bound. */
const forData = { percent: 40, kinds: ["configmaps", "secrets"] };
/**
 * All other kinds share these: whatever has a pod's template is repeated by what its controller makes, and as large. The
 * rest is for what the control plane adds: status, Endpoints, slices, Events of an hour.
 */
const forOthers = { percent: 50, kinds: ["count/.*", "services", "persistentvolumeclaims"] };

const ofData = (data: string | number, other: string | number) => `(variables.data ? ${data} : ${other})`;
const pattern = ({ kinds }: { readonly kinds: readonly string[] }) => `'^(${kinds.join("|")})$'`;
const hard = "params.spec.?hard.orValue({})";
const text = "'%s'.format([object])";

export const etcdPolicy: AdmissionPolicy = {
  name: "team-etcd",
  requests: [{ apiGroup: "*", resources: ["*/*"] }],
  inNamespaces: true,
  inTeams: true,
  quota: "team",
  variables: [
    {
      name: "data",
      expression: `(request.resource.resource + '.' + request.resource.group) in [${forData.kinds.map((kind) => `'${kind}.'`).join(", ")}]`,
    },
    {
      name: "bound",
      expression: `quantity(params.metadata.?annotations[?'${etcdSizeAnnotation}'].orValue('${defaultEtcdSize}')).asInteger()`,
    },
    {
      // How many objects the quota allows of these kinds.
      name: "count",
      expression: `${hard}.filter(name, name.matches(${ofData(pattern(forData), pattern(forOthers))})).map(name, quantity(${hard}[name]).asInteger()).sum()`,
    },
    {
      name: "most",
      expression: `variables.bound * ${ofData(forData.percent, forOthers.percent)} / 100 / variables.count`,
    },
    {
      // As text an object is no shorter than in etcd, which holds custom kinds as JSON: there these take six bytes.
      name: "size",
      expression: `bytes${ofData(
        text,
        ["<", ">", "&"].reduce((all, one) => `${all}.replace('${one}', '------')`, text),
      )}.size()`,
    },
  ],
  rules: [
    {
      // What the control plane makes is as large as what it is made of.
      expression: `variables.size <= variables.most || ${mayEverywhere("update", "patch")}`,
      messageExpression:
        "'an object of ' + request.resource.resource + ' may take ' + string(variables.most) + ' bytes in etcd, and this one takes ' + string(variables.size) + ': keep large data in a volume, or ask the platform for a larger etcdSize of the Team, or for lower counts in its quota'",
    },
  ],
};
