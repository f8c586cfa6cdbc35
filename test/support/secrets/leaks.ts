/** Secrets that are made to be found, and pieces of them in a text, however it has them. */
import { createHash } from "node:crypto";

/** How long a piece counts as one: fewer characters are found by chance. */
const pieceLength = 8;
const hexLength = 16;

/** Numbers from 0 to 1, the same ones for the same seed. */
export function random(seed: string): () => number {
  let count = 0;
  return () => {
    const bytes = createHash("sha256").update(`${seed} ${count++}`).digest();
    return bytes.readUInt32BE(0) / 2 ** 32;
  };
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** A text of 48 letters and digits, with signs that JSON and shells quote, none of them next to another. */
export function secretText(next: () => number): string {
  const signs = ["'", '"', "$", "\\"];
  const letters = Array.from({ length: 48 }, (_, index) =>
    index % 12 === 11 ? signs[(index - 11) / 12] : alphabet[Math.floor(next() * alphabet.length)],
  );
  return letters.join("");
}

const windows = (text: string, length: number) =>
  Array.from({ length: Math.max(0, text.length - length + 1) }, (_, at) => text.slice(at, at + length));

/** Every piece of a secret: plain, and as JSON, a shell, an address, base64 and hex write it. */
function piecesOf(secret: string): { readonly long: ReadonlySet<string>; readonly hex: ReadonlySet<string> } {
  // Base64 has three forms, by where in it the secret begins; a letter at each end depends on what is beside it.
  const base64 = [0, 1, 2].map((before) =>
    Buffer.from(`${"\0".repeat(before)}${secret}`)
      .toString("base64")
      .replace(/=+$/, "")
      .slice(before === 0 ? 0 : before + 1, -1),
  );
  const json = JSON.stringify(secret).slice(1, -1);
  const forms = [
    secret,
    json,
    JSON.stringify(json).slice(1, -1),
    secret.replaceAll("'", "'\\''"),
    encodeURIComponent(secret),
    ...base64,
    ...base64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_")),
  ];
  const hex = Buffer.from(secret).toString("hex");
  return {
    long: new Set(forms.flatMap((form) => windows(form, pieceLength))),
    hex: new Set(windows(hex, hexLength)),
  };
}

/** Finds pieces of the secrets in texts. */
export function leakFinder(secrets: readonly string[]): (text: string) => string[] {
  const pieces = secrets.map(piecesOf);
  const long = new Set(pieces.flatMap((one) => [...one.long]));
  const hex = new Set(pieces.flatMap((one) => [...one.hex]));
  return (text) => [
    ...windows(text, pieceLength).filter((piece) => long.has(piece)),
    ...windows(text.toLowerCase(), hexLength).filter((piece) => hex.has(piece)),
  ];
}

/** How a secret is put in a place: alone, and nested and padded, so that a cut at any length falls into it. */
export const shapes: Readonly<Record<string, (secret: unknown, next: () => number) => unknown>> = {
  alone: (secret) => secret,
  padded: (secret, next) => ["x".repeat(10 + next() * 62), secret, "z".repeat(next() * 9)],
  "in a list of lists": (secret) => [[secret]],
  "in an object": (secret) => ({ x: secret }),
  "below a long key": (secret, next) => ({ ["k".repeat(1 + next() * 70)]: { y: [secret] } }),
};
