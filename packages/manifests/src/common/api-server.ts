/** Where the API server is, for the pods that ask it something. */
import { z } from "zod";
import { arg, group } from "./arg.ts";
import { placed } from "./schema.ts";
import { cidr, port } from "./shapes.ts";

/** A network of it, and the ports on which API servers usually answer. */
export const apiServerNetwork = (name: string) =>
  group(name, "One network of the API server.", {
    cidr: arg(placed(cidr), "Its addresses in CIDR notation.", {
      example: '"192.0.2.10/32"',
      effect: ["opens"],
    }),
    ports: arg(z.array(port).default([443, 6443]), "Its TCP ports.", { effect: ["opens", "closes"] }),
  });

export type ApiServerNetwork = z.output<ReturnType<typeof apiServerNetwork>>;
