import { at, type Json, stringAt } from "./object.ts";

/** An answer of the API server that refuses a request. */
export class ApiError extends Error {
  /** HTTP status code. */
  readonly code: number;
  /** Machine-readable reason, such as `AlreadyExists`. */
  readonly reason: string;
  /** Seconds after which the server wants to be asked again. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: number, reason: string, message: string, retryAfterSeconds?: number) {
    super(message);
    this.name = "ApiError";
    this.code = code;
    this.reason = reason;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The API server could not be asked at all. */
export class UnreachableError extends Error {
  constructor(server: string, cause: Error) {
    super(`the Kubernetes API server ${server} cannot be reached: ${cause.message}`, { cause });
    this.name = "UnreachableError";
  }
}

/** The API server knows no such kind. */
export class UnknownKindError extends Error {
  constructor(apiVersion: string, kind: string) {
    super(`no matches for kind "${kind}" in version "${apiVersion}"`);
    this.name = "UnknownKindError";
  }
}

/** Reads the error in an answer; the body is a Kubernetes Status, or whatever a proxy on the way says. */
export function apiError(code: number, body: Json, retryAfter?: string): ApiError {
  const message = typeof body === "string" ? body.trim() : stringAt(body, "message");
  const seconds = Number(retryAfter ?? at(body, "details", "retryAfterSeconds"));
  const reason = stringAt(body, "reason") ?? "";
  return new ApiError(
    code,
    reason,
    message || `the API server answered with status ${code}`,
    seconds || undefined,
  );
}

export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.code === 404;
}

export function isAlreadyExists(error: unknown): boolean {
  return error instanceof ApiError && error.reason === "AlreadyExists";
}

/** The server is busy or away for a moment: a request that changes nothing may be sent again. */
export function isTransient(error: unknown): boolean {
  return (
    error instanceof UnreachableError ||
    (error instanceof ApiError && (error.code === 429 || error.code >= 500))
  );
}

/** The server did nothing with the request, so even a change may be sent again. */
export function wasNotProcessed(error: unknown): boolean {
  if (error instanceof ApiError) return error.code === 429;
  const cause = error instanceof UnreachableError ? (error.cause as NodeJS.ErrnoException) : undefined;
  return cause?.code === "ECONNREFUSED";
}
