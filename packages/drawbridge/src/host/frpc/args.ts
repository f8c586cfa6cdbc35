/** The schemas of a way in through frp, `access.frp`. */

import type { z } from "zod";
import { arg, group, offByDefault, PlainReason, plainOnByDefault } from "../../kit/arg.ts";
import { judgedBy } from "../../kit/guard.ts";
import { differ, type Input, known } from "../../kit/input.ts";
import { reference } from "../../kit/reference.ts";
import {
  across,
  type Fields,
  input,
  inputList,
  optionalInput,
  type RaiseFault,
  secret,
} from "../../kit/schema.ts";
import { publicImages } from "../../kubernetes/images.ts";
import { domainName, hostOrAddress, port, userName } from "../../kubernetes/shapes.ts";
import { authorizedKeyLine } from "../keys/authorized-keys.ts";
import { frpServerRefSchema } from "../ways/frp.ts";
import { frpImage, pemCertificates, secretText } from "../ways/frp-shapes.ts";

const externalSchema = across(
  group(
    "HostExternalFrpArgs",
    "An frps of the caller's own, which decides by itself who may take which name.",
    {
      serverAddr: arg(input(hostOrAddress), "Host name or address of frps, for frpc.", {
        effect: ["restart", "opens"],
        guard: judgedBy("frps", "route-wall"),
      }),
      serverPort: arg(input(port).default(7000), "Its port for frpc.", {
        effect: ["restart", "opens", "closes"],
        guard: "daily",
      }),
      serverName: arg(optionalInput(hostOrAddress), "The name that its certificate holds.", {
        default: "`serverAddr`",
      }),
      caBundle: arg(
        input(pemCertificates).optional(),
        "The CA of its certificate, in PEM. Needed unless `unverifiedTls`.",
      ),
      unverifiedTls: offByDefault(
        "Whether to trust any frps, for one that has no certificate of its own. Anyone who can intercept " +
          "the connection then learns the token.",
        { effect: ["restart"] },
      ),
      connectPort: arg(input(port).default(1337), "Its CONNECT port."),
      connectTls: offByDefault("Whether clients speak TLS with that port, with a certificate for `address`."),
      domain: arg(input(domainName).optional(), "The container is called `<name>.<namespace>.<domain>`.", {
        default: "- `customDomain` alone names it",
      }),
    },
    { effect: ["restart"] },
  ),
  ({ caBundle, ...given }, fault) => {
    const [serverPort, connectPort] = [known(given.serverPort), known(given.connectPort)];
    const [connectTls, unverifiedTls] = [known(given.connectTls), known(given.unverifiedTls)];
    // With TLS the two are ports of different hosts.
    if (connectTls === false && connectPort !== undefined && connectPort === serverPort) {
      fault`connectPort: is ${connectPort}, the same as serverPort; frpc and ssh clients need a port each`;
    }
    if (caBundle === undefined && unverifiedTls === false)
      fault`caBundle: is missing, so frpc could not verify frps; set the CA's PEM, or unverifiedTls: true for an frps without a certificate of its own`;
  },
);

/** The fields that every way in through frp has. */
const fields = {
  enabled: plainOnByDefault(PlainReason.resources, "Whether there is this way in.", {
    effect: ["restart", "closes"],
    guard: "daily",
  }),
  server: arg(
    reference(frpServerRefSchema, "FrpServer", "address").optional(),
    "The frps with which it registers: a {@link FrpServer}, or the `ref` of one of another stack.",
  ),
  external: arg(externalSchema.optional(), "An frps elsewhere, instead of `server`."),
  address: arg(
    optionalInput(hostOrAddress),
    "Where ssh clients reach frps, if not at the server's own address: that of an frps elsewhere, a port that is forwarded, or " +
      "with the `ref` of another stack's FrpServer the address that its LoadBalancer got. No object waits for it.",
    { effect: [], default: "the server's" },
  ),
  customDomain: arg(
    input(domainName).optional(),
    "Another name below the server's `domain`. With a FrpServer it must end in " +
      "`.<namespace>.<domain>`, or be reserved for this host in the server's `containers`.",
  ),
  image: arg(
    input(frpImage).default(publicImages.frpc),
    "frpc's image, version 0.70.1 or later, with a shell.",
    { effect: ["restart"] },
  ),
};

export const frpAccessSchema = across(
  group(
    "HostFrpArgs",
    "A way in through frp: frpc beside the container's sshd registers the container's name with an " +
      "frps, which clients reach at one address.",
    {
      ...fields,
      username: arg(
        input(userName).optional(),
        "Login name. sshd lets one user in, so this is for stating it, not for changing it.",
        { default: "`user.name`" },
      ),
      authorizedKeys: arg(
        inputList(authorizedKeyLine).default([]),
        "Public keys that may log in besides `authorizedKeys`; sshd does not tell ways in apart.",
        { effect: ["opens"], guard: judgedBy("keys", "unnamed-key") },
      ),
      token: arg(
        secret(secretText).optional(),
        "What frpc proves itself with, at least 32 characters. With a FrpServer it is the container's " +
          "own; an frps elsewhere needs its `auth.token` here.",
        { default: "- with a FrpServer, derived from `hostKey.seed`" },
      ),
    },
    { effect: [], shorthand: "server" },
  ),
  checkFrp,
);

/** For a host with another's sshd: that decides who logs in, and there is no seed to derive a token from. */
export const frpRouteSchema = across(
  group(
    "SshRouteFrpArgs",
    "A way in through frp: frpc in a pod of its own registers the host's name with an frps, which clients reach at one " +
      "address, and leads to the Service. What it is given restarts that pod, and ends sessions that go through it.",
    {
      ...fields,
      token: arg(
        secret(secretText, "a text of at least 32 characters"),
        "What frpc proves itself with, at least 32 characters. With a FrpServer it is this route's own; an frps " +
          "elsewhere needs its `auth.token` here.",
      ),
    },
    { effect: ["restart"] },
  ),
  checkFrp,
);

type AnyFrpArgs = Partial<z.output<z.ZodObject<typeof fields>>> & { readonly token?: unknown };

function checkFrp(args: AnyFrpArgs, fault: RaiseFault, { isGiven }: Fields): void {
  if (args.enabled === false) return;
  const { server, external, customDomain, token } = args;
  if (!isGiven("server") && !isGiven("external"))
    fault.as(
      "no-frp-server",
    )`: has no server with which frpc registers; set the FrpServer itself (access: { frp }), or external to the values of an frps elsewhere`;
  if (server !== undefined && external !== undefined)
    fault`external: is beside server, and a container registers with one frps; remove one of the two`;
  if (args.address === undefined && (external ?? server) !== undefined && server?.address === undefined) {
    fault`address: is missing, so clients have no address to connect to; set the FrpServer itself (access: { frp }), or address: the host name of an frps elsewhere`;
  }
  if (external !== undefined && external.domain === undefined && customDomain === undefined) {
    fault`external.domain: is missing, so the container has no name; set it, or customDomain`;
  }
  const [domain, name] = [known((server ?? external)?.domain), known(customDomain)];
  if (domain !== undefined && name !== undefined && !name.endsWith(`.${domain}`)) {
    fault`customDomain: "${name}" is outside the domain of frps; set a name that ends in ".${domain}"`;
  }
  if (external !== undefined && token === undefined)
    fault`token: is missing; an frps of your own needs its auth.token here (at least 32 characters)`;
}

export type FrpAccessParsed = z.output<typeof frpAccessSchema>;
export type FrpRouteParsed = z.output<typeof frpRouteSchema>;

/** What the check across a host's arguments looks at. */
export interface FrpHostArgs {
  readonly access?: { readonly frp?: Partial<FrpAccessParsed> | undefined } | undefined;
  readonly ssh?: { readonly mode: string } | undefined;
  readonly user?: { readonly name: Input<string> } | undefined;
  readonly hostKey?: { readonly seed?: unknown } | undefined;
}

/** Where a container's way in through frp meets the rest of its arguments. */
export function checkFrpAccess({ access, ssh, user, hostKey }: FrpHostArgs, fault: RaiseFault): void {
  const frp = access?.frp;
  if (frp === undefined || frp.enabled === false) return;
  const path = ["access", "frp"];
  if (frp.username !== undefined && user !== undefined && differ(frp.username, user.name)) {
    fault`${path}.username: "${frp.username}" is not the container's user "${user.name}", the only one that sshd admits; leave it out, or set the same name in user.name`;
  }
  if (ssh?.mode === "none")
    fault`${path}: needs sshd, and ssh.mode is "none"; choose another mode or leave frp out`;
  if (
    frp.server !== undefined &&
    frp.token === undefined &&
    hostKey !== undefined &&
    hostKey.seed === undefined
  ) {
    fault`${path}.token: is missing and cannot be derived, since hostKey has no seed; set a token of at least 32 characters`;
  }
}
