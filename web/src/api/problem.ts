/** Everything that can go wrong, as one kind of error with a sentence for the player and the rules that it cites. */
import type { ErrorEnvelope } from "./types";

export class Problem extends Error {
  constructor(
    readonly kind: string,
    message: string,
    readonly rules: readonly string[] = [],
    readonly culprits: readonly string[] = [],
    readonly details: Readonly<Record<string, unknown>> = {},
    readonly status = 0,
  ) {
    super(message);
    this.name = "Problem";
  }
}

function isEnvelope(data: unknown): data is ErrorEnvelope {
  const error = (data as { error?: { kind?: unknown; message?: unknown } } | null)?.error;
  return typeof error?.kind === "string" && typeof error.message === "string";
}

/** The problem that an answer of the server tells about, whatever it looks like. */
export function problemFrom(status: number, data: unknown): Problem {
  if (isEnvelope(data)) {
    const { kind, message, rules, culprits, details } = data.error;
    return new Problem(kind, message, rules ?? [], culprits ?? [], details ?? {}, status);
  }
  return new Problem("internal", `The server gave an answer that cannot be read (status ${status}).`, [], [], {}, status);
}

/** Anything thrown, as a problem. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof TypeError) return new Problem("offline", "The server cannot be reached. Is it still running?");
  return new Problem("page", `The page made a mistake: ${error instanceof Error ? error.message : String(error)}`);
}
