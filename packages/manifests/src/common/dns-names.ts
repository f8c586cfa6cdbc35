import type { AdmissionRule } from "./admission.ts";

/** external-dns gives whatever name an annotation asks for, the gateway's too. */
export const noDnsNames: AdmissionRule = {
  expression:
    "object.metadata.?annotations.orValue({}).all(key, !key.lowerAscii().startsWith('external-dns.'))",
  message:
    "annotations external-dns.… are not for a team's namespace: names in the DNS are the platform's to give",
};
