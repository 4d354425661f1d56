import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'

/** Numbers from 0 to 1, the same for each run of a test (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

export type Pick = <T>(from: readonly T[]) => T

export const picker =
  (random: () => number): Pick =>
  (from) =>
    from[Math.floor(random() * from.length)] as never

/** JSON texts of every kind that an optional member may have. */
export const VALUES: readonly string[] = [
  'null',
  'true',
  'false',
  '0',
  '-1',
  '1e400',
  '9007199254740993',
  '""',
  '"text"',
  '"cut \\ud83d"',
  '"\\u0000"',
  '[]',
  '[null]',
  '[[[]]]',
  '{}',
  '{"a":null}',
  '{"\\udc00k":1}',
  '{"__proto__":{"polluted":1}}',
  '{"constructor":1,"toString":null}',
  `"${'x'.repeat(20_000)}"`,
  `${'['.repeat(400)}${']'.repeat(400)}`,
]

/** A value that a function returns. */
export function oddValue(pick: Pick, random: () => number, depth = 0): unknown {
  const inner = () => (depth > 3 ? 1 : oddValue(pick, random, depth + 1))
  const thrower = {
    get bad(): never {
      throw new Error('unreadable')
    },
    good: 1,
  }
  const cyclic: Record<string, unknown> = { a: 1 }
  cyclic.self = cyclic
  return pick<() => unknown>([
    () => undefined,
    () => null,
    () => 7n,
    () => 2n ** 70n,
    () => Number.NaN,
    () => Number.NEGATIVE_INFINITY,
    () => 2 ** 60,
    () => new Date(0),
    () => new Date(Number.NaN),
    () => new Map([['k', inner()]]),
    () => new Map([[{ k: 1 }, inner()]]),
    () => new Set([inner()]),
    () => new Error('not thrown'),
    () => Buffer.from('bytes'),
    () => new Uint8Array(8),
    () => /x/g,
    () => Symbol('s'),
    () => () => 1,
    () => cyclic,
    () => thrower,
    () =>
      new Proxy(
        {},
        {
          ownKeys() {
            throw new TypeError('no keys')
          },
        },
      ),
    () =>
      new (class Order {
        id = 5
        #secret = 1
        get total() {
          return this.#secret
        }
      })(),
    () => ({
      toJSON() {
        throw new Error('no JSON')
      },
    }),
    () => ({ toJSON: () => ({ deep: inner() }) }),
    () => Object.create(null),
    () => new URL('https://example.com/a'),
    () => Promise.resolve(inner()),
    () => Object(1n),
    () => new Array(3),
    () => [inner(), inner()],
    () => ({ a: inner(), b: inner() }),
    () => 'cut \ud83d',
    () => ({ '\udc00k': 1 }),
    () => nested(random() < 0.1 ? 20_000 : 300),
  ])()
}

function nested(levels: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { value }
  return value
}

/** An answer over HTTP, and whether it says that the call failed. */
export interface OddAnswer {
  readonly status: number
  readonly write: (response: ServerResponse) => void
}

export function oddHttpAnswer(pick: Pick): OddAnswer {
  const status = pick([
    200, 200, 200, 201, 202, 204, 206, 299, 303, 400, 404, 409, 429, 500, 502, 503, 504, 522,
  ])
  const type = pick([
    undefined,
    '',
    'application/json',
    'application/vnd.x+json; charset=utf-16',
    'text/plain',
    'text/html',
    'text/plain; charset=foo',
    'application/x-unknown',
    'application/octet-stream',
    'image/png',
    'text/event-stream',
    'nonsense',
  ])
  const body = pick([
    Buffer.alloc(0),
    Buffer.from('ok'),
    Buffer.from('  \n'),
    Buffer.from('{"a":'),
    Buffer.from('{"a":1}trailing'),
    Buffer.from([0xff, 0xfe, 0x00, 0x01]),
    Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d]),
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0]),
    Buffer.from('\ufeff{"a":1}'),
    Buffer.from(`${'['.repeat(10_000)}${']'.repeat(10_000)}`),
    Buffer.from('data: {"a":1}\n\n'),
    ...VALUES.map((value) => Buffer.from(value)),
    ...VALUES.map((value) => Buffer.from(`{"a":${value}}`)),
  ])
  const fault = pick(['', '', '', '', 'encoding', 'gzip', 'half', 'cut', 'chunked cut', 'long'])
  return {
    status,
    write(response) {
      const headers: Record<string, string> = {
        ...(type !== undefined && { 'content-type': type }),
        ...pick<Record<string, string>>([{}, {}, { location: '/things/9' }, { 'retry-after': '3' }]),
      }
      const mayHaveBody = status !== 204
      const end = (bytes: Buffer) => response.writeHead(status, headers).end(mayHaveBody ? bytes : undefined)
      switch (mayHaveBody ? fault : '') {
        case 'encoding':
          headers['content-encoding'] = pick(['gzip', 'br', 'deflate', 'zstd', 'foo'])
          return end(body)
        case 'gzip':
          headers['content-encoding'] = 'gzip'
          return end(gzipSync(body))
        case 'half': {
          headers['content-encoding'] = 'gzip'
          const whole = gzipSync(body)
          return end(whole.subarray(0, Math.ceil(whole.byteLength / 2)))
        }
        case 'cut':
          headers['content-length'] = String(body.byteLength + 10)
          response.writeHead(status, headers).write(body, () => setImmediate(() => response.destroy()))
          return
        case 'chunked cut':
          response
            .writeHead(status, headers)
            .write('x'.repeat(10), () => setImmediate(() => response.destroy()))
          return
        case 'long':
          return end(Buffer.alloc(256 * 1024, 'a'))
        default:
          return end(body)
      }
    },
  }
}

/** The text of a message with an open id, in which ID stands for it, and whether it says that the call failed. */
export function oddMessage(pick: Pick): { readonly raw: string; readonly fails: boolean } {
  const value = () => pick(VALUES)
  const id = pick(['ID', '"ID"', 'ID.0'])
  const version = pick(['"jsonrpc":"2.0",', '"jsonrpc":"1.0",', '"jsonrpc":null,', '"jsonrpc":2,', ''])
  const members = () =>
    ['content', 'structuredContent', '_meta', 'isError', 'resultType', 'toolResult', 'extra'].flatMap(
      (name) =>
        pick([true, false, false]) ? [`"${name}":${name === 'content' ? content(pick) : value()}`] : [],
    )
  const results = [
    `{${members().join(',')}}`,
    `{${members().join(',')}}`,
    `{${members().join(',')}}`,
    value(),
  ]
  const kind = pick(['result', 'result', 'result', 'result', 'error', 'both', 'neither', 'broken'])
  const result = pick(results)
  switch (kind) {
    case 'result':
      return { raw: `{${version}"id":${id},"result":${result}}`, fails: /"isError":true/.test(result) }
    case 'error':
      return { raw: `{${version}"id":${id},"error":${error(pick)}}`, fails: true }
    case 'both':
      return {
        raw: `{${version}"id":${id},"result":${result},"error":${error(pick)}}`,
        fails: /"isError":true/.test(result) || result === 'null',
      }
    case 'neither':
      return { raw: `{${version}"id":${id}}`, fails: false }
    default:
      return { raw: `{${version}"id":ID,"result":{"content":[{"type":"text","text":"a`, fails: false }
  }
}

function content(pick: Pick): string {
  const block = () =>
    pick([
      ...VALUES,
      `{"type":"text","text":${pick(VALUES)}}`,
      `{"type":${pick(VALUES)},"text":"t"}`,
      `{"type":"image","data":${pick(VALUES)},"mimeType":${pick(VALUES)}}`,
      `{"type":"resource","resource":${pick(VALUES)}}`,
      `{"type":"resource","resource":{"uri":${pick(VALUES)},"blob":"AAAA"}}`,
      `{"type":"resource_link","uri":${pick(VALUES)},"name":null}`,
      '{"type":"text","text":"fine","annotations":null,"_meta":null}',
    ])
  return pick([pick(VALUES), `[${block()},${block()}]`, `[${block()}]`])
}

function error(pick: Pick): string {
  return pick([
    ...VALUES.filter((value) => value !== 'null'),
    `{"code":${pick(VALUES)},"message":${pick(VALUES)},"data":${pick(VALUES)}}`,
    '{"code":-32000,"message":"not today","data":null}',
    '{"message":"no code"}',
  ])
}
