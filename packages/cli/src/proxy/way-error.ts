import { CliError } from "../cli-error.ts";

/** The steps on the way to a login, in their order. */
export const Step = {
  dns: "DNS",
  tcp: "TCP",
  tls: "TLS",
  connect: "CONNECT",
  banner: "SSH banner",
  hostKey: "host key",
  login: "login",
  pod: "pod",
  cluster: "cluster",
} as const;
export type Step = (typeof Step)[keyof typeof Step];

/** A fault at one step, in a sentence that says what to do. */
export class WayError extends Error {
  override readonly name = "WayError";
  readonly step: Step;
  /** The HTTP status that the gateway answered with, where it did. */
  readonly status: number | undefined;

  constructor(step: Step, message: string, status?: number) {
    super(message);
    this.step = step;
    this.status = status;
  }
}

/** A fault that is told in one sentence; everything else is a bug and shows where it happened. */
export function isExpected(error: unknown): error is CliError | WayError {
  return error instanceof CliError || error instanceof WayError;
}
