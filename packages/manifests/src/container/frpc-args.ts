/** The schema of a container's way in through frp, `access.frp`: the fields of the server's side may be `ref`. */
import { z } from "zod";
import { arg, group } from "../common/arg.ts";
import { across, placed, type RaiseFault } from "../common/schema.ts";
import { dnsLabel, domainName, hostOrAddress, port, serviceName, userName } from "../common/shapes.ts";
import { frpImage } from "../frp/image.ts";
import { pemCertificates, secretText } from "../frp/shapes.ts";
import { authorizedKeyLine } from "../ssh/authorized-keys.ts";

export const frpAccessSchema = across(
  group(
    "DevContainerFrpArgs",
    "A way in through frp: frpc beside the container's sshd registers the container's name with an " +
      "frps, which clients reach at one address. `frp.ref` of a {@link FrpServer} holds what the " +
      "server's side decides.",
    {
      enabled: arg(z.boolean().default(true), "Whether there is this way in.", {
        effect: ["restart", "closes"],
      }),
      username: arg(
        userName.optional(),
        "Login name. sshd lets one user in, so this is for stating it, not for changing it.",
        { default: "`user.name`" },
      ),
      authorizedKeys: arg(
        z.array(placed(authorizedKeyLine)).default([]),
        "Public keys that may log in besides `authorizedKeys`; sshd does not tell ways in apart.",
        { effect: ["opens"] },
      ),
      serverAddr: arg(hostOrAddress.optional(), "Host name or address of frps, for frpc."),
      serverPort: arg(port.default(7000), "Port of frps, for frpc."),
      serverName: arg(hostOrAddress.optional(), "The name that frps's certificate must hold.", {
        default: "`serverAddr`",
      }),
      caBundle: arg(
        placed(pemCertificates).optional(),
        "The CA of frps's certificate, in PEM. Needed unless `unverifiedTls`.",
      ),
      unverifiedTls: arg(
        z.boolean().default(false),
        "Whether to trust any frps, for one that has no certificate of its own. Anyone who can intercept " +
          "the connection then learns the token.",
        { effect: ["restart"] },
      ),
      connectHost: arg(
        placed(hostOrAddress).optional(),
        "Host name or address at which ssh clients reach frps.",
      ),
      connectPort: arg(port.default(1337), "Its CONNECT port."),
      connectTls: arg(
        z.boolean().default(false),
        "Whether clients speak TLS with that port, with a certificate for `connectHost`.",
      ),
      domainSuffix: arg(
        domainName.optional(),
        "The container is called `<name>.<namespace>.<domainSuffix>`.",
      ),
      clientDomain: arg(
        domainName.optional(),
        "Another name below `domainSuffix`. With a FrpServer it must end in " +
          "`.<namespace>.<domainSuffix>`, or be reserved for this container in the server's `units`.",
      ),
      token: arg(
        placed(secretText).optional(),
        "What frpc proves itself with, at least 32 characters. With a FrpServer it is the container's " +
          "own; an frps elsewhere needs its `auth.token` here.",
        { default: "- with a FrpServer, derived from `hostKey.seed`" },
      ),
      authorizer: arg(
        group(
          "DevContainerFrpAuthorizerArgs",
          "The service account that may read the hash of the container's token.",
          {
            namespace: arg(dnsLabel, "Its namespace."),
            serviceAccountName: arg(serviceName, "Its name, which is the FrpServer's."),
          },
        ).optional(),
        "Who checks the token: the service account of a FrpServer's authorizer. Leave it out for an frps " +
          "elsewhere.",
        { effect: ["opens", "closes"] },
      ),
      image: arg(
        placed(frpImage).default("fatedier/frpc:v0.70.1"),
        "frpc's image, version 0.70.1 or later, with a shell.",
        { effect: ["restart"] },
      ),
    },
    { effect: [] },
  ),
  (args, fault) => {
    if (args.enabled === false) return;
    const { serverPort, connectPort, domainSuffix, clientDomain } = args;
    if (args.serverAddr === undefined) {
      fault(["serverAddr"], "frp-server-missing");
    }
    if (args.connectHost === undefined) {
      fault(["connectHost"], "frp-host-missing");
    }
    if (domainSuffix === undefined && clientDomain === undefined) {
      fault(["domainSuffix"], "frp-domain-missing");
    }
    if (
      domainSuffix !== undefined &&
      clientDomain !== undefined &&
      !clientDomain.endsWith(`.${domainSuffix}`)
    ) {
      fault(["clientDomain"], "outside-domain-suffix", { domain: clientDomain, suffix: domainSuffix });
    }
    // With TLS the two are ports of different hosts.
    if (args.connectTls === false && connectPort !== undefined && connectPort === serverPort) {
      fault(["connectPort"], "frp-ports-equal", { connectPort });
    }
    if (args.caBundle === undefined && args.unverifiedTls === false) {
      fault(["caBundle"], "frp-ca-missing");
    }
    if (args.authorizer === undefined && args.token === undefined) {
      fault(["token"], "frp-token-missing");
    }
  },
);

export type FrpAccessParsed = z.output<typeof frpAccessSchema>;

/** What the check across a container's arguments looks at. */
interface ContainerArgs {
  readonly access?: { readonly frp?: Partial<FrpAccessParsed> | undefined } | undefined;
  readonly ssh?: { readonly mode: string } | undefined;
  readonly user?: { readonly name: string } | undefined;
  readonly hostKey?: { readonly seed?: unknown } | undefined;
}

/** Where a container's way in through frp meets the rest of its arguments. */
export function checkFrpAccess({ access, ssh, user, hostKey }: ContainerArgs, fault: RaiseFault): void {
  const frp = access?.frp;
  if (frp === undefined || frp.enabled === false) return;
  const path = ["access", "frp"];
  if (frp.username !== undefined && user !== undefined && frp.username !== user.name) {
    fault([...path, "username"], "frp-username-differs", { username: frp.username, name: user.name });
  }
  if (ssh?.mode === "none") {
    fault(path, "frp-without-sshd");
  }
  if (
    frp.authorizer !== undefined &&
    frp.token === undefined &&
    hostKey !== undefined &&
    hostKey.seed === undefined
  ) {
    fault([...path, "token"], "frp-token-not-derivable");
  }
}
