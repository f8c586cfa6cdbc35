/** Faults that show only when fields of a storage's arguments are seen together. */

interface Args {
  namespace: string;
  accessMode: string;
  claim?: string | undefined;
  storageClass?: string | undefined;
  prepare?:
    | {
        command?: string[] | undefined;
        args?: string[] | undefined;
        copyFrom?: { namespace: string } | undefined;
      }
    | undefined;
  accessor?:
    | {
        enabled: boolean;
        allow: string[];
        credentials: { user: string; write: boolean }[];
        jwt?: { write: boolean } | undefined;
      }
    | undefined;
}

type Fault = (path: PropertyKey[], message: string) => void;

export function storageFaults(args: Partial<Args>, fault: Fault): void {
  if (args.claim !== undefined && args.storageClass !== undefined) {
    fault(["storageClass"], `has no effect on the existing claim ${args.claim}; remove one of the two`);
  }
  preparation(args, fault);
  if (args.accessor !== undefined && args.accessor !== null) access(args.accessor, args.accessMode, fault);
}

function preparation({ namespace, prepare }: Partial<Args>, fault: Fault): void {
  const source = prepare?.copyFrom;
  if (source === undefined) return;
  if (prepare?.command !== undefined || prepare?.args !== undefined) {
    fault(
      ["prepare"],
      "has both copyFrom and a command; copy first, then run the command under another revision",
    );
  }
  if (source?.namespace !== namespace) {
    fault(
      ["prepare", "copyFrom", "namespace"],
      `is ${JSON.stringify(source?.namespace)}, but a pod mounts volumes of its own namespace only; copy from a storage in ${JSON.stringify(namespace)}`,
    );
  }
}

function access(accessor: NonNullable<Args["accessor"]>, accessMode: string | undefined, fault: Fault): void {
  if (accessor.enabled === false) return;
  const credentials = Array.isArray(accessor.credentials) ? accessor.credentials : [];
  const allow = Array.isArray(accessor.allow) ? accessor.allow : [];
  if (credentials.length === 0 && accessor.jwt === undefined) {
    fault(["accessor"], "lets nobody in; give credentials, jwt or both, or set enabled: false");
  }
  if (accessMode === "ReadWriteOncePod") {
    fault(
      ["accessMode"],
      "ReadWriteOncePod lets a single pod in, so the accessor would lock every container out; use ReadWriteOnce or ReadWriteMany, or leave accessor out",
    );
  }
  const writes = allow.includes("upload") || allow.includes("delete");
  const pointless = "has no effect: accessor.allow holds neither upload nor delete";
  credentials.forEach((credential, index) => {
    if (credential?.write === true && !writes) fault(["accessor", "credentials", index, "write"], pointless);
    const first = credentials.findIndex((other) => other?.user === credential?.user);
    if (first < index) {
      fault(
        ["accessor", "credentials", index, "user"],
        `${JSON.stringify(credential?.user)} is the user of credentials[${first}] too; give each user once`,
      );
    }
  });
  if (accessor.jwt?.write === true && !writes) fault(["accessor", "jwt", "write"], pointless);
  const duplicate = allow.find((action, index) => allow.indexOf(action) < index);
  if (duplicate !== undefined) fault(["accessor", "allow"], `names ${duplicate} twice`);
}
