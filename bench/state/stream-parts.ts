import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { connect } from 'node:tls'
import { Worker } from 'node:worker_threads'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { Json } from '../../src/document/json.ts'
import { readLines } from '../../src/document/read-lines.ts'
import { createPiiFinder } from '../../src/policy/pii/find-pii.ts'
import { messageTokens } from '../../src/run/decide/prompt-tokens.ts'
import { encodeEvent } from '../../src/run/record/event-line.ts'
import type { Message } from '../../src/run/state.ts'
import { findSecrets } from '../../src/secret/find-secrets.ts'
import { createRedactor } from '../../src/secret/redact.ts'
import type { AgentState, StateMessage } from '../../src/spec/aaif/generated/state.ts'
import { judgeLine } from '../../src/spec/aaif/validate-handoff-stream.ts'
import { StreamedHash } from '../../src/state/stream/streamed-hash.ts'
import { streamedState } from '../../src/state/stream/streamed-state.ts'
import { writeHandoff } from '../../src/state/stream/write-handoff.ts'
import { type LongConversation, messageText } from './long-run.ts'

/** Milliseconds of one part of a stream alone. */
export interface StreamParts {
  readonly tls: number
  readonly parse: number
  readonly hash: number
  readonly copy: number
  /** Not in the sum of the target: what every text is searched for before it is stored. */
  readonly search: number
  /** Nor this: the tokens that each message of a state says. */
  readonly tokens: number
}

/** Characters of which the expensive parts are measured. */
const SAMPLE = 10_000_000

/** Measures the parts of a stream alone, one after another in this process. */
export async function measureParts(
  conversation: LongConversation,
  tls: { readonly key: string; readonly cert: string; readonly ca: string },
  databaseUrl: string,
): Promise<StreamParts> {
  const document = stateOf(conversation)
  const messages = document.conversation ?? []
  const lines = [...writeHandoff(document, { token: 'x.y.z' })].map((line) => Buffer.from(line))
  const share = Math.min(1, SAMPLE / (conversation.messages * conversation.size))
  const sample = messages.slice(0, Math.ceil(messages.length * share))
  return {
    tls: await timed(() => transfer(lines, tls)),
    parse: await timed(() => {
      for (const line of lines) judge(line)
    }),
    hash: await timed(() => {
      const state = streamedState({ ...document, conversation: [] })
      const hash = new StreamedHash(state)
      hash.add(messages)
      hash.digest(state)
    }),
    copy: await copyTime(messages, databaseUrl),
    search: (await timed(() => searchAll(sample))) / share,
    tokens:
      (await timed(() => {
        for (const { content } of sample) messageTokens({ role: 'user', text: content })
      })) / share,
  }
}

/** What the target compares with. */
export function sumOf({ tls, parse, hash, copy }: StreamParts): number {
  return tls + parse + hash + copy
}

function stateOf({ messages, size }: LongConversation): AgentState {
  return {
    sc_standard: 'SC-006',
    state_id: '0198c0de-0000-7000-8000-000000000001',
    agent_id: '0198c0de-0000-7000-8000-000000000002',
    run_id: '0198c0de-0000-7000-8000-000000000003',
    checkpoint_at: '2026-11-24T09:00:00Z',
    status: 'paused',
    conversation: Array.from({ length: messages }, (_, n) => ({
      role: n % 2 === 0 ? 'user' : 'assistant',
      content: messageText(n, size),
      token_count: 300,
      timestamp: '2026-11-24T09:00:00.000Z',
    })),
  }
}

async function timed(act: () => unknown): Promise<number> {
  const started = performance.now()
  await act()
  return performance.now() - started
}

async function transfer(
  lines: readonly Buffer[],
  { ca, ...certificate }: { readonly key: string; readonly cert: string; readonly ca: string },
): Promise<void> {
  const worker = new Worker(join(import.meta.dirname, 'tls-sink.ts'), { workerData: certificate })
  try {
    const [port] = (await once(worker, 'message')) as [number]
    const socket = connect({ port, host: '127.0.0.1', servername: 'localhost', ca })
    await once(socket, 'secureConnect')
    for (const line of lines) if (!socket.write(line)) await once(socket, 'drain')
    socket.end()
    socket.resume()
    await finished(socket)
  } finally {
    await worker.terminate()
  }
}

function judge(line: Buffer): void {
  const text = line.toString()
  const { document } = readLines(text, { maxDepth: 72, maxLineBytes: Number.POSITIVE_INFINITY })
  const [value] = (document?.value ?? []) as readonly Json[]
  if (value === undefined || judgeLine(value).some(({ severity }) => severity === 'error'))
    throw new Error('the line is not valid')
}

/** Into a table like that of events, in events of 200 messages, until it is committed. */
async function copyTime(messages: readonly StateMessage[], url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('CREATE TABLE waybill.bench_events (LIKE waybill.events INCLUDING ALL)')
    return await timed(async () => {
      await client.query('BEGIN')
      const copy = client.query(copyFrom('COPY waybill.bench_events (org, run_id, seq, line) FROM STDIN'))
      for (let seq = 1; (seq - 1) * 200 < messages.length; seq++) {
        const part = messages.slice((seq - 1) * 200, seq * 200)
        const line = encodeEvent(eventOf(part, seq)).replaceAll('\\', '\\\\')
        if (!copy.write(`a\tr\t${seq}\t${line}\n`)) await once(copy, 'drain')
      }
      copy.end()
      await finished(copy)
      await client.query('COMMIT')
    })
  } finally {
    await client.query('DROP TABLE IF EXISTS waybill.bench_events').catch(() => {})
    await client.end()
  }
}

function eventOf(part: readonly StateMessage[], seq: number) {
  const messages = part.map(({ content }): Message => ({ role: 'user', text: content }))
  const fact = { type: 'messages.restored', messages, times: part.map(() => 0) } as const
  return { seq, at: 0, fact, decision: {} }
}

function searchAll(messages: readonly StateMessage[]): void {
  const redactor = createRedactor(new Map([['OPENAI_API_KEY', 'not-used-but-long']]))
  const find = createPiiFinder()
  for (const message of messages) {
    findSecrets(message as unknown as Json)
    find(redactor.text(message.content))
  }
}

/** Reads the certificate of a platform, and the authority that has made it. */
export function certificateOf(home: string, caFile: string) {
  const of = (name: string) => readFileSync(join(home, `${name}.pem`), 'utf8')
  return { key: of('key'), cert: of('cert'), ca: readFileSync(caFile, 'utf8') }
}
