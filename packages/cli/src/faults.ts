/** What the command exits with, besides 0 for success. */
export const ExitCode = {
  /** Something the user can mend: the message says how. */
  failed: 1,
  /** Wrong options or arguments. */
  usage: 2,
} as const;

/** A fault the user can mend; printed as one sentence without a stack. */
export class CliError extends Error {
  override readonly name = "CliError";
  readonly exitCode: number;

  constructor(message: string, exitCode: number = ExitCode.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The steps to a login: by a gateway or frp in this order, `pod`, `egress` (the way out) and `cluster` by the Kubernetes API. */
export const Step = {
  dns: "DNS",
  tcp: "TCP",
  tls: "TLS",
  connect: "CONNECT",
  banner: "SSH banner",
  hostKey: "host key",
  login: "login",
  pod: "pod",
  egress: "egress",
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
