/** Leaf shapes shared by all schemas. */
import { z } from "zod";
import { unlessMissing } from "../kit/fault.ts";
import { input } from "../kit/schema.ts";
import { matching, text } from "../kit/shapes.ts";
import { parseCidr, toCidrs } from "./ip.ts";
import { quantityValue } from "./quantity.ts";

/** A DNS label: names of containers, namespaces and Services become parts of host names. */
export const dnsLabel = text(
  /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/,
  63,
  "{{value}} is not a DNS label; use at most 63 lower-case letters, digits and inner hyphens",
);

/** A namespace that a component's objects go into. */
export const ownNamespace = dnsLabel.refine(
  (value) => !/^kube-/.test(value),
  "{{value}} belongs to the cluster itself; set a namespace of your own",
);

const startsWithLetter = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;

/** A Service name must start with a letter (RFC 1035), and a container's name becomes its Service's. */
export const serviceName = text(
  startsWithLetter,
  63,
  "{{value}} is not usable as a Service name; use at most 63 lower-case letters, digits and inner hyphens, starting with a letter",
);

/**
 * A container's name is its StatefulSet's too, by which Kubernetes labels the pod's version: a hyphen and ten characters
 * more.
 */
export const containerName = text(
  startsWithLetter,
  63 - 11,
  "{{value}} is not usable as a container's name; use at most 52 lower-case letters, digits and inner hyphens, starting with a letter",
);

/** A domain name of at least two labels, without scheme, port or trailing dot. */
export const domainName = text(
  /^(?=.{3,253}$)([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/,
  253,
  '{{value}} is not a domain name; write it like "dev.example.com", without scheme, port, wildcard or trailing dot',
);

/** A host name or an IP address, as a client would connect to. */
export const hostOrAddress = text(
  /^([A-Za-z0-9]([-A-Za-z0-9.]*[A-Za-z0-9])?|[0-9A-Fa-f:.]+)$/,
  253,
  '{{value}} is not a host name or IP address; write it like "ssh.example.com" or "192.0.2.7"',
);

/** A TCP port. */
export const port = z
  .int()
  .refine(
    (value) => value >= 1 && value <= 65535,
    "{{value}} is not a port; use a whole number from 1 to 65535",
  );

const isQuantity = (value: string) =>
  value.length <= 32 && /^[0-9]+(\.[0-9]+)?(m|k|Ki|M|Mi|G|Gi|T|Ti|P|Pi|E|Ei)?$/.test(value);

const notAQuantity = '{{value}} is not a quantity; write it like "500m", "4" or "16Gi"';

/** A Kubernetes quantity such as 500m, 4, 16Gi. */
export const quantity = z
  .string({ error: unlessMissing('must be text; write it like "500m", "4" or "16Gi", in quotes') })
  .refine(isQuantity, notAQuantity);

/** Less is a number whose unit is missing or another. */
export const isSize = (bytes: number): boolean => bytes >= 2 ** 20;

export const sizeTooSmall = '{{value}} is less than 1Mi; write it with its unit, like "20Gi"';

/** A quantity of bytes. Without its unit a number of gibibytes would be one of bytes. */
export const size = z
  .string({ error: unlessMissing('has no unit; write it like "20Gi"') })
  .refine(isQuantity, notAQuantity)
  .refine((value) => !isQuantity(value) || isSize(quantityValue(value) ?? 0), sizeTooSmall);

/** An absolute path with no `..`, no trailing slash and no character that a mount or sshd would trip over. */
export const absolutePath = text(
  /^(\/(?!\.{1,2}(\/|$))[A-Za-z0-9._@+-]+)+$/,
  255,
  '{{value}} is not an absolute path; write it like "/data/models", without "..", spaces or a trailing slash',
);

/** Whether the path `inner` is `outer` or below it. */
export const within = (inner: string, outer: string): boolean =>
  inner === outer || inner.startsWith(`${outer}/`);

const notANetwork =
  '{{value}} is not a network; write it in CIDR notation like "10.0.0.0/8" or "2001:db8::/32"';

/** A network in CIDR notation; what may not be any network (0.0.0.0/0) checks that itself. */
export const cidr = text(/^[0-9A-Fa-f:.]+\/(0|[1-9]\d*)$/, 64, notANetwork, (value) => {
  const range = parseCidr(value);
  if (range === undefined || /^::ffff:[^/]/i.test(value)) return notANetwork;
  const [address] = value.split("/");
  // The API server refuses such a network.
  const isItsFirst = parseCidr(`${address}/${range.family === 4 ? 32 : 128}`)?.low === range.low;
  return isItsFirst
    ? undefined
    : `{{value}} is not the first address of its network; write "${toCidrs(range)[0]}"`;
});

/** An environment variable's name. */
export const envName = text(
  /^[A-Za-z_][A-Za-z0-9_]*$/,
  256,
  "{{value}} is not an environment variable name (letters, digits, _)",
);

/** A Linux user name that sshd and NSS accept. */
export const userName = text(
  /^[a-z_][a-z0-9_-]*$/,
  32,
  "{{value}} is not an allowed user name; use up to 32 lower-case letters, digits, _ and -",
);

/**
 * An image with a tag other than `latest`, or with a digest: the same stack must bring up the same program
 * tomorrow.
 */
export const imageReference = text(
  /^(?!.*:latest$)([A-Za-z0-9-]+(\.[A-Za-z0-9.-]*(:[0-9]+)?|:[0-9]+)\/)?[a-z0-9][a-z0-9._/-]*(:[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}|(:[A-Za-z0-9_][A-Za-z0-9_.-]*)?@sha256:[0-9a-f]{64})$/,
  512,
  '{{value}} is not a pinned image; add a tag other than "latest" or a digest, like "ubuntu:24.04" or "…@sha256:…"',
  (value) => {
    if (value.includes("://")) return "{{value}} is a web address; write the image without https://";
    return /^([^/]*[.:][^/]*\/)?[^:@]*[A-Z]/.test(value)
      ? "{{value}} has capitals in the image's name, which no registry takes; write it in lower case"
      : undefined;
  },
);

/** A label's value, as node selectors and tolerations name it. */
export const labelValue = text(
  /^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$/,
  63,
  "{{value}} is not a label value; use at most 63 letters, digits, -, _ and ., starting and ending with a letter or digit",
);

/** The name of an object that may have dots in it, such as a StorageClass, a Secret or a PriorityClass. */
export const objectName = text(
  /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/,
  253,
  "{{value}} is not an object name; use at most 253 lower-case letters, digits, inner hyphens and dots",
);

/** A domain and a slash, of at most 254 characters. */
const prefix = String.raw`(?=[^/]{1,253}/)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/`;
const namePart = "[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?";
/** The name of a label or an annotation, as a part of a larger pattern. */
export const qualifiedNamePattern = `(${prefix})?${namePart}`;

/** A label's key, or a resource's name such as nvidia.com/gpu. */
export const qualifiedName = text(
  new RegExp(`^${qualifiedNamePattern}$`),
  317,
  '{{value}} is not a qualified name; write it like "nvidia.com/gpu" or "topology.kubernetes.io/zone"',
);

/** Labels, and the label selector that asks for them. */
export const labelMap = z.record(qualifiedName, input(labelValue));

/** Annotations; their values are any text. */
export const annotationMap = z.record(qualifiedName, input(z.string()));

/** A resource of a node, by Kubernetes' name for it. */
export const resourceName = text(
  new RegExp(`^(cpu|memory|ephemeral-storage|hugepages-[0-9]+[KMGT]i|${prefix}${namePart})$`),
  317,
  '{{value}} is not a resource; write "cpu", "memory", "ephemeral-storage" or a name with its domain, like "nvidia.com/gpu"',
);

/** What a ResourceQuota counts, by Kubernetes' name for it. */
export const quotaName = text(
  new RegExp(
    `^((requests\\.|limits\\.)?(cpu|memory|ephemeral-storage)|requests\\.storage|(requests\\.)?hugepages-[0-9]+[KMGT]i|pods|services(\\.nodeports|\\.loadbalancers)?|secrets|configmaps|persistentvolumeclaims|replicationcontrollers|resourcequotas|${prefix}${namePart})$`,
  ),
  317,
  '{{value}} is nothing that a quota counts; write it like "requests.cpu", "pods", "count/deployments.apps" or "requests.nvidia.com/gpu"',
);

/** A key in a ConfigMap or Secret, which becomes a file's name. */
export const dataKey = text(
  /^(?!\.{1,2}$)[-._A-Za-z0-9]+$/,
  253,
  "{{value}} is not a key of a ConfigMap or Secret; use letters, digits, ., - and _",
);

/** A web address of a proxy. Credentials in it would be readable in the cluster, so the value is never shown. */
export const proxyUrl = matching(
  /^https?:\/\/[^\s/?#@]+\/?$/,
  'is not a proxy address; write it like "http://proxy.example.com:3128", without credentials',
);
