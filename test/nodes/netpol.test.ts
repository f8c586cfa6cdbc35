/** The same, with pods on several nodes. */
import "../long/netpol.test.ts";
