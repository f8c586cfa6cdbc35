/** What a gateway gives out. */
import { z } from "zod";
import { viaOf } from "../host/client-texts/proxy-command.ts";
import type { SshListener } from "../istio/listeners.ts";
import { arg, group } from "../kit/arg.ts";
import type { Settled } from "../kit/input.ts";

export const gatewayEndpointsSchema = group(
  "SshGatewayEndpoints",
  "The gateway's listeners as `drawbridge proxy --via` takes them.",
  {
    plain: arg(z.string().optional(), "Of the plain listener, if there is one.", {
      example: '"http://ssh.dev.example.com:80"',
    }),
    tls: arg(z.string().optional(), "Of the TLS listener, if there is one.", {
      example: '"https://ssh.dev.example.com:443"',
    }),
  },
  { isOutput: true },
);

/** The address of each listener, by its name, as the `--via` option of `drawbridge proxy` reads it. */
export function gatewayEndpoints(
  listeners: readonly Settled<SshListener>[],
  mutual: boolean,
  address: string,
): { plain?: string; tls?: string } {
  return Object.fromEntries(
    listeners.map(({ name, port }) => {
      const tls = name === "tls";
      return [name, viaOf({ way: "gateway", address, port, tls, mutual })];
    }),
  );
}
