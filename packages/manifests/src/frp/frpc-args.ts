/** The schema of a container's way in through frp, `access.frp`: the fields of the server's side may be `ref`. */
import { z } from "zod";
import { across, placed, strict } from "../common/schema.ts";
import { dnsLabel, domainName, hostOrAddress, port, serviceName, userName } from "../common/shapes.ts";
import { authorizedKeyLine } from "../ssh/authorized-keys.ts";
import { frpImage } from "./image.ts";
import { pemCertificates, secretText } from "./shapes.ts";

export const frpAccessSchema = across(
  strict({
    enabled: z.boolean().default(true),
    username: userName.optional(),
    authorizedKeys: z.array(placed(authorizedKeyLine)).default([]),
    serverAddr: hostOrAddress.optional(),
    serverPort: port.default(7000),
    serverName: hostOrAddress.optional(),
    caBundle: placed(pemCertificates).optional(),
    unverifiedTls: z.boolean().default(false),
    connectHost: placed(hostOrAddress).optional(),
    connectPort: port.default(1337),
    connectTls: z.boolean().default(false),
    domainSuffix: domainName.optional(),
    clientDomain: domainName.optional(),
    token: placed(secretText).optional(),
    authorizer: strict({ namespace: dnsLabel, serviceAccountName: serviceName }).optional(),
    image: placed(frpImage).default("fatedier/frpc:v0.70.1"),
  }),
  (args, fault) => {
    if (args.enabled === false) return;
    const { serverPort, connectPort, domainSuffix, clientDomain } = args;
    const server =
      "give the ref of a FrpServer (access: { frp: frp.ref }), or the fields of an frps that runs";
    if (args.serverAddr === undefined) {
      fault(["serverAddr"], `is missing, so frpc has no server to register with; ${server}`);
    }
    if (args.connectHost === undefined) {
      fault(["connectHost"], `is missing, so clients have no address to connect to; ${server}`);
    }
    if (domainSuffix === undefined && clientDomain === undefined) {
      fault(["domainSuffix"], `is missing, so the container has no name; ${server}`);
    }
    if (
      domainSuffix !== undefined &&
      clientDomain !== undefined &&
      !clientDomain.endsWith(`.${domainSuffix}`)
    ) {
      fault(
        ["clientDomain"],
        `"${clientDomain}" is outside domainSuffix; give a name that ends in ".${domainSuffix}"`,
      );
    }
    // With TLS the two are ports of different hosts.
    if (args.connectTls === false && connectPort !== undefined && connectPort === serverPort) {
      fault(
        ["connectPort"],
        `is ${connectPort}, the same as serverPort; frpc and ssh clients need a port each`,
      );
    }
    if (args.caBundle === undefined && args.unverifiedTls === false) {
      fault(
        ["caBundle"],
        "is missing, so frpc could not tell frps from an impostor; give the CA's PEM, or unverifiedTls: true for an frps without a certificate of its own",
      );
    }
    if (args.authorizer === undefined && args.token === undefined) {
      fault(["token"], "is missing; an frps of your own needs its auth.token here (at least 32 characters)");
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
export function checkFrpAccess(
  { access, ssh, user, hostKey }: ContainerArgs,
  fault: (path: PropertyKey[], message: string) => void,
): void {
  const frp = access?.frp;
  if (frp === undefined || frp.enabled === false) return;
  const path = ["access", "frp"];
  if (frp.username !== undefined && user !== undefined && frp.username !== user.name) {
    fault(
      [...path, "username"],
      `"${frp.username}" is not the container's user "${user.name}", the only one that sshd lets in; leave it out or give the same name in user.name`,
    );
  }
  if (ssh?.mode === "none") {
    fault(path, 'needs an sshd to lead to, and ssh.mode is "none"; choose another mode or leave frp out');
  }
  if (
    frp.authorizer !== undefined &&
    frp.token === undefined &&
    hostKey !== undefined &&
    hostKey.seed === undefined
  ) {
    fault(
      [...path, "token"],
      "is missing and cannot be derived, since hostKey has no seed; give a token of at least 32 characters",
    );
  }
}
