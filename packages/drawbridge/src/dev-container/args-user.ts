/** Schemas of whom one logs in as, and whom the container trusts. */
import { arg, group } from "../kit/arg.ts";
import { judgedBy } from "../kit/guard.ts";
import { input } from "../kit/schema.ts";
import { whole } from "../kit/shapes.ts";
import { absolutePath, dataKey, objectName, userName } from "../kubernetes/shapes.ts";

export const userSchema = group("DevContainerUserArgs", "The user one logs in as.", {
  name: arg(
    input(userName).default("jovyan"),
    "Login name. With sshd from the `image` or in a `sidecar` it must exist in that image. `root`, " +
      "with uid and gid 0, takes the container's `root: true`; its home is `/root`.",
    { guard: judgedBy("login-name", "foreign-ca") },
  ),
  uid: arg(input(whole(0, 2_000_000_000, "user ids")).default(1000), "User id, at least 1000, or root's 0."),
  gid: arg(
    input(whole(0, 2_000_000_000, "group ids")).default(1000),
    "Group id, which owns the home volume.",
  ),
  shell: arg(input(absolutePath).optional(), "With `injected`: the login shell, a program of the image.", {
    default: "- bash if the image has it, else sh",
  }),
}).prefault({});

export const trustedCaSchema = group(
  "DevContainerTrustedCaArgs",
  "The company's certificate authorities, for OpenSSL, Python, Node.js, git, curl, pip and the AWS SDKs.",
  {
    configMapName: arg(
      input(objectName),
      "Name of a ConfigMap with the whole bundle: it takes the place of the image's own.",
    ),
    key: arg(input(dataKey).default("ca.crt"), "Key of the bundle in the ConfigMap."),
  },
).optional();
