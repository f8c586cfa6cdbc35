/** Browser-like clients and tokens for tests of what is served over HTTP. */
import { generateKeyPairSync, sign } from "node:crypto";
import { run } from "../../../scripts/lib/lab/lab.ts";

/** An answer as curl saw it. */
export interface Answer {
  readonly status: number;
  readonly body: string;
}

/** One request with curl, whose path is sent as it is written. */
export async function curl(args: readonly string[], timeoutSeconds = 60): Promise<Answer> {
  const outcome = await run("curl", ["-s", "--path-as-is", "-w", "\n%{http_code}", ...args], {
    timeoutSeconds,
  });
  const end = outcome.stdout.lastIndexOf("\n");
  return { status: Number(outcome.stdout.slice(end + 1)), body: outcome.stdout.slice(0, Math.max(end, 0)) };
}

/** Someone who issues JSON Web Tokens. */
export class TokenIssuer {
  readonly name: string;
  readonly #keys = generateKeyPairSync("rsa", { modulusLength: 2048 });

  constructor(name: string) {
    this.name = name;
  }

  /** The public keys, as an issuer publishes them. */
  get jwks(): string {
    const key = this.#keys.publicKey.export({ format: "jwk" });
    return JSON.stringify({ keys: [{ ...key, kid: "test", alg: "RS256", use: "sig" }] });
  }

  /** A signed token; by default of this issuer and valid for ten minutes. */
  token(claims: Record<string, unknown>): string {
    const whole = { iss: this.name, exp: Math.floor(Date.now() / 1000) + 600, ...claims };
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const text = `${part({ alg: "RS256", kid: "test" })}.${part(whole)}`;
    return `${text}.${sign("RSA-SHA256", Buffer.from(text), this.#keys.privateKey).toString("base64url")}`;
  }
}
