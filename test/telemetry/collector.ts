import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { BinaryReader } from '@bufbuild/protobuf/wire'
import { Server, ServerCredentials, type ServerUnaryCall, type sendUnaryData } from '@grpc/grpc-js'

export interface ReceivedSpan {
  readonly trace: string
  readonly id: string
  readonly parent: string
  readonly name: string
  readonly kind: number
  /** Milliseconds since the epoch. */
  readonly start: number
  readonly ms: number
  readonly attributes: Readonly<Record<string, unknown>>
  readonly error: boolean
}

export interface ReceivedPoint {
  readonly name: string
  readonly value: number
  readonly labels: Readonly<Record<string, unknown>>
}

/** A collector that keeps what it is sent, decoded here from the wire by the numbers of opentelemetry-proto. */
export interface TestCollector {
  readonly url: string
  readonly spans: ReceivedSpan[]
  readonly points: ReceivedPoint[]
  readonly resource: Record<string, unknown>
  /** Headers, or gRPC's metadata, of each request. */
  readonly headers: IncomingHttpHeaders[]
  readonly paths: string[]
  /** Waits for this many root spans, which come last, and for the metrics that follow. */
  runs(count: number): Promise<readonly ReceivedSpan[]>
  measured(): Promise<readonly ReceivedPoint[]>
}

export async function httpCollector(t: TestContext, status = 200): Promise<TestCollector> {
  const store = newStore()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    store.headers.push(request.headers)
    store.paths.push(request.url ?? '')
    response.writeHead(status).end()
    if (status === 200) store.take(request.url ?? '', Buffer.concat(chunks))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  t.after(() => server.closeAllConnections())
  return { ...store, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

export async function grpcCollector(t: TestContext): Promise<TestCollector> {
  const store = newStore()
  const server = new Server()
  const identity = (bytes: Buffer): Buffer => bytes
  for (const signal of ['trace', 'metrics']) {
    const service = `opentelemetry.proto.collector.${signal}.v1.${signal === 'trace' ? 'Trace' : 'Metrics'}Service`
    const path = `/${service}/Export`
    const method = {
      path,
      requestStream: false,
      responseStream: false,
      requestSerialize: identity,
      requestDeserialize: identity,
      responseSerialize: identity,
      responseDeserialize: identity,
    }
    server.addService(
      { Export: method },
      {
        Export: (call: ServerUnaryCall<Buffer, Buffer>, done: sendUnaryData<Buffer>) => {
          store.headers.push(call.metadata.getMap() as IncomingHttpHeaders)
          store.paths.push(path)
          store.take(signal === 'trace' ? '/v1/traces' : '/v1/metrics', call.request)
          done(null, Buffer.alloc(0))
        },
      },
    )
  }
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    ),
  )
  t.after(() => server.forceShutdown())
  return { ...store, url: `http://127.0.0.1:${port}` }
}

function newStore() {
  const spans: ReceivedSpan[] = []
  const points: ReceivedPoint[] = []
  const resource: Record<string, unknown> = {}
  const headers: IncomingHttpHeaders[] = []
  const paths: string[] = []
  return {
    spans,
    points,
    resource,
    headers,
    paths,
    take(path: string, body: Buffer) {
      for (const [, group] of fields(body)) {
        for (const [number, part] of fields(group as Uint8Array)) {
          if (number === 1) Object.assign(resource, attributesIn(fields(part as Uint8Array), 1))
          if (number !== 2) continue
          for (const [inner, item] of fields(part as Uint8Array)) {
            if (inner !== 2) continue
            if (path.endsWith('/v1/traces')) spans.push(spanOf(item as Uint8Array))
            else points.push(...pointsOf(item as Uint8Array))
          }
        }
      }
    },
    async runs(count: number) {
      await until(() => spans.filter(({ name }) => name === 'aaif.agent.run').length >= count)
      return spans
    },
    async measured() {
      await until(() => points.length > 0)
      return points
    },
  }
}

async function until(done: () => boolean): Promise<void> {
  for (let tries = 0; !done(); tries++) {
    if (tries === 400) throw new Error('the collector was not sent what was expected within 4 s')
    await sleep(10)
  }
}

type Field = readonly [number: number, value: Uint8Array | bigint | number]

/** The fields of a message, in order: wire types 0 (varint), 1 (64 bits), 2 (bytes) and 5 (32 bits). */
function fields(bytes: Uint8Array): readonly Field[] {
  const reader = new BinaryReader(bytes)
  const found: Field[] = []
  while (reader.pos < reader.len) {
    const [number, type] = reader.tag()
    if (type === 0) found.push([number, BigInt(reader.int64())])
    else if (type === 1) found.push([number, BigInt(reader.fixed64())])
    else if (type === 2) found.push([number, reader.bytes()])
    else if (type === 5) found.push([number, reader.fixed32()])
    else throw new Error(`wire type ${type}`)
  }
  return found
}

function attributesIn(all: readonly Field[], number: number): Record<string, unknown> {
  return Object.assign(
    {},
    ...all.filter(([own]) => own === number).map(([, pair]) => keyValue(pair as Uint8Array)),
  )
}

function keyValue(bytes: Uint8Array): Record<string, unknown> {
  const map = new Map(fields(bytes))
  return { [text(map.get(1))]: anyValue(map.get(2) as Uint8Array) }
}

function anyValue(bytes: Uint8Array): unknown {
  const [field] = fields(bytes)
  if (field === undefined) return null
  const [number, value] = field
  switch (number) {
    case 1:
      return text(value)
    case 2:
      return value === 1n
    case 3:
      return Number(value)
    case 4:
      return double(value as bigint)
    case 5:
      return fields(value as Uint8Array).map(([, item]) => anyValue(item as Uint8Array))
    default:
      throw new Error(`a value of kind ${number}`)
  }
}

function spanOf(bytes: Uint8Array): ReceivedSpan {
  const all = fields(bytes)
  const map = new Map(all)
  const status = map.get(15) === undefined ? new Map() : new Map(fields(map.get(15) as Uint8Array))
  return {
    trace: hex(map.get(1)),
    id: hex(map.get(2)),
    parent: hex(map.get(4)),
    name: text(map.get(5)),
    kind: Number(map.get(6)),
    start: Number(map.get(7)) / 1e6,
    ms: Number((map.get(8) as bigint) - (map.get(7) as bigint)) / 1e6,
    attributes: attributesIn(all, 9),
    error: status.get(3) === 2n,
  }
}

function pointsOf(bytes: Uint8Array): readonly ReceivedPoint[] {
  const map = new Map(fields(bytes))
  const histogram = map.get(9) as Uint8Array | undefined
  const data = histogram ?? (map.get(7) as Uint8Array)
  return fields(data)
    .filter(([number]) => number === 1)
    .map(([, point]) => {
      const own = fields(point as Uint8Array)
      const values = new Map(own)
      const value = histogram === undefined ? (values.get(6) ?? values.get(4)) : values.get(5)
      return {
        name: text(map.get(1)),
        value: values.has(6) && histogram === undefined ? Number(value) : double(value as bigint),
        labels: attributesIn(own, histogram === undefined ? 7 : 9),
      }
    })
}

function text(value: unknown): string {
  return new TextDecoder().decode(value as Uint8Array)
}

function hex(value: unknown): string {
  return value === undefined ? '' : Buffer.from(value as Uint8Array).toString('hex')
}

function double(bits: bigint): number {
  const view = new DataView(new ArrayBuffer(8))
  view.setBigUint64(0, bits)
  return view.getFloat64(0)
}
