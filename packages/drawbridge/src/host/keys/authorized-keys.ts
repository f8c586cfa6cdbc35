/**
 * Lines of an authorized_keys file and public keys of hosts, checked. How they get into a pod:
 * host/sshd/volumes.ts. What a change of them rolls: `sshdMarks` in host/sshd/files.ts.
 */
import { createHash } from "node:crypto";
import { z } from "zod";
import { InvalidText, listed } from "../../kit/fault.ts";

const keyTypes = [
  "ssh-ed25519",
  "sk-ssh-ed25519@openssh.com",
  "ecdsa-sha2-nistp256",
  "ecdsa-sha2-nistp384",
  "ecdsa-sha2-nistp521",
  "sk-ecdsa-sha2-nistp256@openssh.com",
  "ssh-rsa",
] as const;

// Options for what a key may do; what would change the session itself (command=, environment=, tunnel=) is refused.
const allowedOption =
  /^(restrict|pty|no-pty|port-forwarding|no-port-forwarding|agent-forwarding|no-agent-forwarding|X11-forwarding|no-X11-forwarding|user-rc|no-user-rc|no-touch-required|verify-required|cert-authority|(expiry-time|principals|permitopen|permitlisten)="[^"\\]*")$/;

/** A parsed key line. */
interface AuthorizedKey {
  readonly options: readonly string[];
  readonly type: string;
  /** The base64 key, which identifies it whatever its comment. */
  readonly blob: string;
  readonly comment: string;
}

/** Parses one line; throws with what is wrong and how to mend it, never repeating key material. */
export function parseAuthorizedKey(line: string): AuthorizedKey {
  const text = line.trim();
  if (/PRIVATE KEY/.test(text))
    throw new InvalidText("is a private key; set the public one, the line in the file that ends in .pub");
  if (text === "" || text.startsWith("#"))
    throw new InvalidText("is empty or a comment; set one public key a line");
  if (/[\r\n\0]/.test(text)) throw new InvalidText("has a line break; set one public key an entry");
  const words = splitWords(text);
  const typeAt = words.findIndex((word) => (keyTypes as readonly string[]).includes(word));
  if (typeAt < 0 || typeAt > 1)
    throw new InvalidText(`does not start with a key type; allowed: ${listed(keyTypes)}`);
  const options = typeAt === 1 ? splitOptions(words[0] ?? "") : [];
  const refused = options
    .filter((option) => !allowedOption.test(option))
    .map((option) => option.split("=")[0] || "(empty)");
  if (refused.includes("from"))
    throw new InvalidText(
      "has the option from, which sshd would compare with the gateway's address; restrict addresses by sourceRanges of the gateway's loadBalancer",
    );
  if (refused.length > 0) throw new InvalidText(`has options that are not allowed here: ${listed(refused)}`);
  const type = words[typeAt] ?? "";
  const blob = words[typeAt + 1] ?? "";
  checkBlob(type, blob);
  return { options, type, blob, comment: words.slice(typeAt + 2).join(" ") };
}

/** The fingerprint as `ssh-keygen -l` and sshd's log show it: `SHA256:…`. */
export function fingerprint(key: AuthorizedKey): string {
  const hash = createHash("sha256").update(Buffer.from(key.blob, "base64")).digest("base64");
  return `SHA256:${hash.replace(/=+$/, "")}`;
}

/** The file's text, in the order given. */
export function renderAuthorizedKeys(lines: readonly string[]): string {
  return lines.map((line) => `${line.trim()}\n`).join("");
}

/**
 * What makes a line the same to sshd, whatever its comment: its key and its options, of which the order counts. For a line
 * without a valid key, the line itself.
 */
export function authorizedKeyId(line: string): string {
  const key = validKey(line);
  return key === undefined ? line : [...key.options, key.blob].join();
}

/** The key in a line; undefined for anything else. A broken line is reported at its own place. */
export function validKey(line: unknown): AuthorizedKey | undefined {
  try {
    return typeof line === "string" ? parseAuthorizedKey(line) : undefined;
  } catch {
    return undefined;
  }
}

/** A text that `read` accepts; what it throws for any other is the fault. */
export const readable = (read: (text: string) => unknown) =>
  z.string().superRefine((text, context) => {
    try {
      read(text);
    } catch (error) {
      const problem = { message: (error as InvalidText).message };
      context.addIssue({ code: "custom", params: { problem }, input: undefined });
    }
  });

/**
 * The comment before the keys of a named person or group. sshd skips it; readers of the file see by it which keys come
 * from `people`, and so which will change when someone joins or leaves.
 */
interface PersonLine {
  readonly person: string;
  /** How many of the lines that follow are theirs. */
  readonly count: number;
}

export function personLine({ person, count }: PersonLine): string {
  return `# ${person} has ${count === 0 ? "no key" : count === 1 ? "1 key" : `${count} keys`}`;
}

/** Undefined for any other line. */
export function readPersonLine(line: string): PersonLine | undefined {
  const [, person, count] =
    /^# ((?:group:)?[a-z0-9][a-z0-9._-]{0,62}) has (no|[1-9]\d{0,3}) keys?$/.exec(line) ?? [];
  return person === undefined ? undefined : { person, count: count === "no" ? 0 : Number(count) };
}

/** One public key line, or the comment before a person's lines. */
export const authorizedKeyLine = readable((line) => readPersonLine(line) ?? parseAuthorizedKey(line));

/** A public key of a host or an authority: `ssh-ed25519 AAAA…`, and what follows is a comment. sshd takes no options there. */
export const plainPublicKey = readable((line) => {
  if (parseAuthorizedKey(line).options.length > 0)
    throw new InvalidText("is not a public key; write it like ssh-ed25519 AAAA…");
});

/** The key without its comment, as known_hosts has it. */
export function withoutComment(line: string): string {
  const { type, blob } = parseAuthorizedKey(line);
  return `${type} ${blob}`;
}

/**
 * For each line whose key an earlier line has, whatever its options and comment: the indexes of the first such line and of
 * this one.
 */
export function duplicateKeys(lines: readonly unknown[]): [first: number, second: number][] {
  const blobs = lines.map((line) => validKey(line)?.blob);
  return blobs.flatMap((blob, index): [number, number][] => {
    const first = blobs.indexOf(blob);
    return blob === undefined || first === index ? [] : [[first, index]];
  });
}

/** As sshd does: only spaces and tabs are between words. A quote that is not closed is a word of its own, which none may be. */
function splitWords(text: string): string[] {
  return text.match(/(?:"[^"]*"|[^ \t"])+|"/g) ?? [];
}

/** At commas outside of quotes. An empty option stays one, since sshd would skip the whole line. */
function splitOptions(text: string): string[] {
  const options = text.match(/(?:"[^"]*"|[^,"])+|"/g) ?? [];
  return /^,|,,|,$/.test(text.replace(/"[^"]*"/g, '""')) ? [...options, ""] : options;
}

/** Checks the wire format, which begins with the type's name and holds nothing after its last field. */
function checkBlob(type: string, blob: string): void {
  const bytes = Buffer.from(blob, "base64");
  // sshd wants the padding too.
  if (blob === "" || bytes.toString("base64") !== blob) {
    throw new InvalidText("has a key that is not base64; copy the whole line of the .pub file");
  }
  const fields: Buffer[] = [];
  let at = 0;
  while (at + 4 <= bytes.length) {
    const length = bytes.readUInt32BE(at);
    if (at + 4 + length > bytes.length) break;
    fields.push(bytes.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  const expected =
    { "ssh-ed25519": 2, "ssh-rsa": 3, "sk-ssh-ed25519@openssh.com": 3 }[type] ??
    (type.startsWith("sk-") ? 4 : 3);
  if (at !== bytes.length || fields.length !== expected || fields[0]?.toString() !== type) {
    throw new InvalidText(
      "has a key that is cut off or of another type than it says; copy the whole line of the .pub file",
    );
  }
  if (type === "ssh-ed25519" && fields[1]?.length !== 32)
    throw new InvalidText("has an ed25519 key of the wrong length");
  const modulus = fields[2];
  if (type === "ssh-rsa" && modulus !== undefined) {
    const bits = (modulus[0] === 0 ? modulus.length - 1 : modulus.length) * 8;
    if (bits < 2048)
      throw new InvalidText(`has an RSA key of ${bits} bits; use ed25519, or RSA with at least 2048 bits`);
  }
}
