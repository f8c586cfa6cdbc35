/** Leaf shapes shared by all schemas. Each message says what is wrong, the value, what is allowed and why. */
import { z } from "zod";
import { notText, showValue } from "./args-error.ts";

const text = (pattern: RegExp, maximum: number, allowed: string) =>
  z
    .string({ error: (issue) => notText(issue.input) })
    .refine((value) => value.length <= maximum && pattern.test(value), {
      error: (issue) => `${showValue(issue.input)} is not ${allowed}`,
    });

/** A DNS label: names of containers, namespaces and Services become parts of host names. */
export const dnsLabel = text(
  /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/,
  63,
  "a DNS label; use at most 63 lower-case letters, digits and inner hyphens",
);

/** A Service name must start with a letter (RFC 1035), and a container's name becomes its Service's. */
export const serviceName = text(
  /^[a-z]([-a-z0-9]*[a-z0-9])?$/,
  63,
  "usable as a Service name; use at most 63 lower-case letters, digits and inner hyphens, starting with a letter",
);

/** A domain name of at least two labels, without scheme, port or trailing dot. */
export const domainName = text(
  /^(?=.{3,253}$)([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?\.)+[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/,
  253,
  'a domain name; write it like "dev.example.com", without scheme, port, wildcard or trailing dot',
);

/** A host name or an IP address, as a client would connect to. */
export const hostOrAddress = text(
  /^([A-Za-z0-9]([-A-Za-z0-9.]*[A-Za-z0-9])?|[0-9A-Fa-f:.]+)$/,
  253,
  'a host name or IP address; write it like "ssh.example.com" or "192.0.2.7"',
);

/** A TCP port. */
export const port = z
  .int({ error: (issue) => `${showValue(issue.input)} is not a port; give a whole number from 1 to 65535` })
  .refine((value) => value >= 1 && value <= 65535, {
    error: (issue) => `${showValue(issue.input)} is not a port; give a whole number from 1 to 65535`,
  });

/** A whole number within bounds, with its unit in the message. */
export const whole = (minimum: number, maximum: number, unit: string) => {
  const message = (issue: { input?: unknown }) =>
    `${showValue(issue.input)} is out of range; give a whole number of ${unit} from ${minimum} to ${maximum}`;
  return z
    .int({ error: message })
    .refine((value) => value >= minimum && value <= maximum, { error: message });
};

/** A Kubernetes quantity such as 500m, 4, 16Gi. */
export const quantity = text(
  /^[0-9]+(\.[0-9]+)?(m|k|Ki|M|Mi|G|Gi|T|Ti|P|Pi|E|Ei)?$/,
  32,
  'a quantity; write it like "500m", "4" or "16Gi"',
);

/** An absolute path with no `..`, no trailing slash and no character that a mount or sshd would trip over. */
export const absolutePath = text(
  /^(\/(?!\.{1,2}(\/|$))[A-Za-z0-9._@+-]+)+$/,
  255,
  'an absolute path; write it like "/data/models", without "..", spaces or a trailing slash',
);

/** A network in CIDR notation; 0.0.0.0/0 is allowed only where the field says so. */
export const cidr = text(
  /^((25[0-5]|2[0-4]\d|1?\d?\d)(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}\/(3[0-2]|[12]?\d)|[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*\/(12[0-8]|1[01]\d|\d?\d))$/,
  64,
  'a network; write it in CIDR notation like "10.0.0.0/8" or "2001:db8::/32"',
);

/** An environment variable's name. */
export const envName = text(
  /^[A-Za-z_][A-Za-z0-9_]*$/,
  256,
  "an environment variable name (letters, digits, _)",
);

/** A Linux user name that sshd and NSS accept. */
export const userName = text(
  /^[a-z_][a-z0-9_-]*$/,
  32,
  "an allowed user name; use up to 32 lower-case letters, digits, _ and -",
);

/**
 * An image with a tag other than `latest`, or with a digest: the same stack must bring up the same program
 * tomorrow.
 */
export const imageReference = text(
  /^(?!.*:latest$)[a-z0-9][a-zA-Z0-9._:/-]*(:[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}|(:[A-Za-z0-9_][A-Za-z0-9_.-]*)?@sha256:[0-9a-f]{64})$/,
  512,
  'a pinned image; add a tag other than "latest" or a digest, like "ubuntu:24.04" or "…@sha256:…"',
);

/** Labels or annotations. */
export const stringMap = z.record(z.string(), z.string({ error: "must be a string" }));

/** A label's value, as node selectors and tolerations name it. */
export const labelValue = text(
  /^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$/,
  63,
  "a label value; use at most 63 letters, digits, -, _ and ., starting and ending with a letter or digit",
);

/** A name of an object that is no DNS label alone, such as a StorageClass, a Secret or a PriorityClass. */
export const objectName = text(
  /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/,
  253,
  "an object name; use at most 253 lower-case letters, digits, inner hyphens and dots",
);

/** A label's key, or a resource's name such as nvidia.com/gpu. */
export const qualifiedName = text(
  /^([a-z0-9]([-a-z0-9.]*[a-z0-9])?\/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/,
  317,
  'a qualified name; write it like "nvidia.com/gpu" or "topology.kubernetes.io/zone"',
);

/** A resource of a node, by Kubernetes' name for it. */
export const resourceName = text(
  /^(cpu|memory|ephemeral-storage|hugepages-[0-9]+[KMGT]i|[a-z0-9]([-a-z0-9.]*[a-z0-9])?\/[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)$/,
  317,
  'a resource; write "cpu", "memory", "ephemeral-storage" or a name with its domain, like "nvidia.com/gpu"',
);

/** A key in a ConfigMap or Secret, which becomes a file's name. */
export const dataKey = text(
  /^(?!\.{1,2}$)[-._A-Za-z0-9]+$/,
  253,
  "a key of a ConfigMap or Secret; use letters, digits, -, _ and .",
);

/** A web address of a proxy. Credentials in it would be readable in the cluster, so the value is never shown. */
export const proxyUrl = z.string().refine((value) => /^https?:\/\/[^\s/?#@]+\/?$/.test(value), {
  error: 'is not a proxy address; write it like "http://proxy.example.com:3128", without credentials',
});
