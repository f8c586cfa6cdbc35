/** Where the API server is, for the pods that ask it something. */
import { z } from "zod";
import { strict } from "./schema.ts";
import { cidr, port } from "./shapes.ts";

/** A network of it, and the ports on which API servers usually answer. */
export const apiServerNetwork = strict({ cidr, ports: z.array(port).default([443, 6443]) });

export type ApiServerNetwork = z.output<typeof apiServerNetwork>;
