/** Requests to the server, typed by its schema: paths, parameters, bodies and answers cannot drift apart. */
import { Problem, problemFrom } from "./problem";
import type { paths } from "./schema";

type Method = "get" | "post" | "patch" | "delete";
type Operation<P extends keyof paths, M extends Method> = NonNullable<paths[P][M]>;
type PathOf<O> = O extends { parameters: { path: infer V } } ? V : undefined;
type QueryOf<O> = O extends { parameters: { query?: infer V } } ? NonNullable<V> : undefined;
type BodyOf<O> = O extends { requestBody?: { content: { "application/json": infer V } } } ? V : undefined;
type Json<R> = R extends { content: { "application/json": infer V } } ? V : undefined;
type AnswerOf<O> = O extends { responses: infer R }
  ? R extends { 200: infer A }
    ? Json<A>
    : R extends { 201: infer B }
      ? Json<B>
      : undefined
  : never;

/** Fields with a default need not be sent. */
type Loose<T> = T extends object ? Partial<T> : T;

interface Parts<O> {
  path?: PathOf<O>;
  query?: QueryOf<O> | Record<string, string>;
  body?: Loose<BodyOf<O>>;
}

/** The address of a request: parameters in braces filled in, those that are missing left out of the query. */
export function address(path: string, values: object = {}, query: object = {}): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String((values as Record<string, unknown>)[name])),
  );
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value)) for (const each of value) search.append(name, String(each));
    else if (value !== undefined && value !== null) search.set(name, String(value));
  }
  return search.size ? `${filled}?${search}` : filled;
}

/** Ask the server. Throws Problem for everything that is not a good answer. */
export async function call<P extends keyof paths, M extends Method>(
  method: M,
  path: P,
  parts: Parts<Operation<P, M>> = {},
): Promise<AnswerOf<Operation<P, M>>> {
  let response: Response;
  try {
    response = await fetch(address(path, parts.path ?? {}, parts.query ?? {}), {
      method: method.toUpperCase(),
      ...(parts.body === undefined
        ? {}
        : { headers: { "content-type": "application/json" }, body: JSON.stringify(parts.body) }),
    });
  } catch {
    throw new Problem("offline", "The server cannot be reached. Is it still running?");
  }
  if (response.status === 204) return undefined as AnswerOf<Operation<P, M>>;
  const data: unknown = await response.json().catch(() => null);
  if (!response.ok) throw problemFrom(response.status, data);
  return data as AnswerOf<Operation<P, M>>;
}
