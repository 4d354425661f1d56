import type { IncomingHttpHeaders } from 'node:http'
import type { Code } from '../document/codes.ts'
import type { Finding } from '../document/finding.ts'
import type { Json } from '../document/json.ts'
import type { RunEvent } from '../run/event.ts'
import type { Role } from '../session/principal.ts'
import type { Schema } from '../spec/schema-builder.ts'
import type { Members, Typed } from './schema.ts'

/** What the OpenAPI document says about one method of one path. */
export interface DescribedRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** With parameters in braces, such as `/v1/runs/{run}`. */
  readonly path: string
  /** Unique; the `operationId` of the OpenAPI document. */
  readonly name: string
  readonly summary: string
  /** What else a client must know; the document adds access, limits and repeats. */
  readonly details?: string
  /** The resource, which groups the routes in the documentation. */
  readonly tag: string
  /** The roles that permit the request; `admin` always does. `public`: without a token. */
  readonly access: 'public' | readonly Role[]
  /** The parameters of the query, all optional. */
  readonly query?: Readonly<Record<string, Schema>>
  /** Headers that the route reads itself. */
  readonly headers?: Readonly<Record<string, Schema>>
  readonly body?: RequestBody
  /** The answers of a request that succeeds, by status. */
  readonly answers: Readonly<Record<number, AnswerDescription>>
  /** Statuses of failures that do not follow from the form of the route. */
  readonly failures?: readonly number[]
  /** It changes something although its method is GET, so a token with scopes needs the one for writing. */
  readonly writes?: true
  /** A scope of narrower tokens, which also permits the route. */
  readonly alsoScope?: string
  /** The form of errors, in the protocol of other clients; default: problem+json. */
  readonly errors?: Schema
}

/**
 * One method of one path. The server and its OpenAPI document are made from the same list of routes.
 * `Uses` is what the route uses of the organisation: the small interface of a feature, not all that a server has.
 */
export interface Route<Uses = unknown> extends DescribedRoute {
  readonly handle: (call: Call<Uses>) => Promise<Answer> | Answer
}

/** What a client of a route sends and gets, for a client that is made from its routes. */
export interface Exchange {
  readonly params: Readonly<Record<string, string>>
  readonly query: object
  readonly body: unknown
  readonly answer: unknown
}

/** @public It is named by the declarations of the package. */
export declare const EXCHANGE: unique symbol

/** A route, and for the compiler what its clients send and get. */
export type TypedRoute<Uses, E extends Exchange> = Route<Uses> & { readonly [EXCHANGE]?: E }

export type ExchangeOf<R> = R extends { readonly [EXCHANGE]?: infer E extends Exchange } ? E : Exchange

type ParamsOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [K in Name]: string } & ParamsOf<Rest>
  : unknown

/** The parameters of a query, by their schemas. */
export type QueryOf<Q extends Members> = { readonly [K in keyof Q]?: Typed<Q[K]> }

type JsonOf<A> = { [S in keyof A]: A[S] extends { readonly schema: infer T } ? Typed<T> : never }[keyof A]

interface RouteForm<
  Uses,
  Path extends string,
  Q extends Members,
  B extends Schema,
  A extends Readonly<Record<number, AnswerDescription>>,
> extends Omit<DescribedRoute, 'path' | 'query' | 'body' | 'answers'> {
  readonly path: Path
  readonly query?: Q
  readonly body?: RequestBody<B>
  readonly answers: A
  readonly handle: (
    call: Call<Uses, Typed<B>, QueryOf<Q>, ParamsOf<Path>>,
  ) => Promise<Answer<JsonOf<A>>> | Answer<JsonOf<A>>
}

/**
 * Returns the function that makes the routes of a feature: their handlers get a body, a query and parameters of the types
 * that their schemas say, and return what the schema of the answer says.
 */
export function routesOf<Uses>() {
  return <
    const Path extends string,
    Q extends Members = Readonly<Record<never, never>>,
    B extends Schema = Schema,
    const A extends Readonly<Record<number, AnswerDescription>> = Readonly<Record<number, AnswerDescription>>,
  >(
    form: RouteForm<Uses, Path, Q, B, A>,
  ): TypedRoute<
    Uses,
    {
      readonly params: ParamsOf<Path> & Readonly<Record<string, string>>
      readonly query: QueryOf<Q>
      readonly body: Typed<B>
      readonly answer: JsonOf<A>
    }
    // The server calls a handler only after its schemas have accepted the request.
  > => form as unknown as Route<Uses>
}

export type RequestBody<B extends Schema = Schema> =
  | {
      readonly kind: 'json'
      readonly schema: B
      /** What the reader of the body checks itself, for the OpenAPI document; default: `schema`. */
      readonly described?: Schema
      /** Returns the code of a refusal, if it is a narrower one than REQUEST_INVALID. */
      readonly refusedAs?: (finding: Finding) => Code | undefined
      /** Without a body, the request means the same as with `{}`. */
      readonly optional?: true
      /** Default: 1 MiB. */
      readonly maxBytes?: number
      /** Values and names; default 80,000. */
      readonly maxValues?: number
      /** It is a document of a specification, and also read as YAML or CBOR, by its media type. */
      readonly encodings?: readonly ('yaml' | 'cbor')[]
    }
  /** The bytes of an agent definition. */
  | { readonly kind: 'definition' }
  /** Bytes of exactly one media type, read as they arrive. Such a request is not repeated by its key. */
  | { readonly kind: 'stream'; readonly mediaType: string }
  /** Bytes of any media type, up to 1 MiB. */
  | { readonly kind: 'bytes' }

export interface AnswerDescription {
  readonly description: string
  /** Absent: the answer is not JSON. */
  readonly schema?: Schema
  /** Default: `application/json`. */
  readonly mediaTypes?: readonly string[]
  /** It has no body. */
  readonly empty?: true
}

/** A request whose token, parameters and body were accepted. */
export interface Call<
  Uses = unknown,
  B = Json,
  Q = Readonly<Record<string, string | number | boolean>>,
  P = Readonly<Record<string, string>>,
> {
  /** The organisation of the principal. @throws TypeError for a public route, which has none */
  readonly tenant: Uses
  /** The parameters of the path, decoded. */
  readonly params: P
  /** The parameters of the query, with numbers and booleans converted as their schemas say. */
  readonly query: Q
  /** Valid by the schema of the route; null without a body. */
  readonly body: B
  /** The bytes of the body. */
  readonly bytes: Uint8Array
  /** The body of a route that reads it as it arrives; empty for others. */
  readonly input: AsyncIterable<Uint8Array>
  readonly headers: IncomingHttpHeaders
  /** The id of the resource that the request creates; given with an `Idempotency-Key`, the same one each time. */
  readonly resourceId?: string
  /** Whether the request has reached the platform over an encrypted connection, also to a trusted proxy. */
  readonly encrypted: boolean
  /** Whether an Agent State without a migration token may cross the connection; one with a token needs encryption. */
  readonly carriesStates: boolean
  /** Aborted when the server shuts down, and when the rights of the request end. */
  readonly stopping: AbortSignal
}

export type Answer<J = unknown> =
  | {
      readonly status: number
      readonly json: J
      /** A signed document: a number that a double cannot hold stays marked, as it was signed. */
      readonly signed?: true
      /** What is kept for a repeated request, if the answer contains a secret. */
      readonly kept?: unknown
      readonly headers?: Readonly<Record<string, string>>
    }
  | {
      readonly status: number
      readonly bytes: Uint8Array | string
      readonly mediaType: string
      readonly headers?: Readonly<Record<string, string>>
    }
  /** The client has the document. */
  | { readonly status: 304; readonly headers: Readonly<Record<string, string>> }
  /** A stream of server-sent events. */
  | { readonly stream: EventSource }
  /** A WebSocket: each of its messages is a line of the input, and the result is its last message. */
  | { readonly socket: (input: AsyncIterable<Uint8Array>) => Promise<unknown> }

/** The items of one run, which are sent as server-sent events. */
export interface EventSource {
  readonly runId: string
  readonly follow: (signal: AbortSignal) => AsyncIterable<SentItem>
}

/** `event` items have the cursor `seq`; the others none. */
export type SentItem =
  | { readonly type: 'event'; readonly event: RunEvent }
  | { readonly type: 'text.snapshot' | 'text'; readonly attempt: number; readonly text: string }
  | { readonly type: 'end'; readonly run: object }

/** The status of a request that would start a run, if a budget is used up. */
export const BUDGET_EXHAUSTED = 402

/** Every role may read. */
export const READERS: readonly Role[] = ['viewer', 'author', 'operator', 'approver', 'admin']
export const AUTHORS: readonly Role[] = ['author']
export const OPERATORS: readonly Role[] = ['operator']
export const ADMINS: readonly Role[] = ['admin']
export const APPROVERS: readonly Role[] = ['approver']

/** Returns a parameter of the path. The router only calls a route whose parameters are all present. */
export function param({ params }: Pick<Call, 'params'>, name: string): string {
  return params[name] ?? ''
}
