/** The same, with pods on two nodes. */
import { afterAll, beforeAll } from "vitest";
import { kubectl } from "../../scripts/lib/lab/lab.ts";
import { uncordon } from "../support/lab/nodes.ts";
import "../long/netpol.test.ts";

beforeAll(() => kubectl(["cordon", "lab-node-3"]));
afterAll(() => uncordon("lab-node-3"));
