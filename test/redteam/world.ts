import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import type { Json, JsonObject } from '../../src/document/json.ts'
import { GO, type IoChoices, Place, type Said, waybill } from '../cli/fixture.ts'

export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

type Answers = (request: Received) => {
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly body?: string | Json
}

/** A server on loopback that keeps everything that reaches it. */
export class Listener {
  readonly received: Received[] = []
  answers: Answers
  readonly #server = createServer((request, response) => void this.#take(request, response))
  /** What an answer waits for. */
  wait: (received: Received) => Promise<void> | void = () => undefined
  /** Sent in place of what is answered, as it is. */
  bytes: Buffer | undefined
  /** Connections, also those that never became a request. */
  touched = 0

  constructor(answers: Answers = () => ({ body: { ok: true } })) {
    this.answers = answers
    this.#server.on('connection', () => {
      this.touched++
    })
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /** Everything that came, as one text. */
  get text(): string {
    return JSON.stringify(this.received)
  }

  async start(address = '127.0.0.1', port = 0): Promise<this> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(port, address, resolve)
    })
    this.#server.unref()
    return this
  }

  stop(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = ''
    for await (const chunk of request) body += chunk
    const received = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body }
    this.received.push(received)
    await this.wait(received)
    const { status = 200, headers = {}, body: answer = '' } = this.answers(received)
    const text = typeof answer === 'string' ? answer : JSON.stringify(answer)
    const type = typeof answer === 'string' ? 'text/plain' : 'application/json'
    response.writeHead(status, { 'content-type': type, ...headers }).end(this.bytes ?? text)
  }
}

export async function listen(t: TestContext, answers?: Answers): Promise<Listener> {
  const listener = await new Listener(answers).start()
  t.after(() => listener.stop())
  return listener
}

export interface ChatRequest {
  readonly model: string
  readonly stream?: boolean
  readonly messages: readonly { readonly role: string; readonly content?: unknown }[]
  readonly tools?: readonly { readonly function: { readonly name: string; readonly description?: string } }[]
}

/** What a model says: a text, or calls. */
export type Reply = string | readonly { readonly tool: string; readonly args: JsonObject }[]
export type Speaks = (request: ChatRequest) => Reply

/** A model behind the wire that providers speak, which says what `speaks` makes of the question. */
export class ModelServer extends Listener {
  speaks: Speaks = () => 'Done.'
  readonly asked: ChatRequest[] = []
  #calls = 0

  constructor() {
    super((received) => {
      const request = JSON.parse(received.body) as ChatRequest
      this.asked.push(request)
      const reply = this.speaks(request)
      const calls =
        typeof reply === 'string'
          ? undefined
          : reply.map(({ tool, args }) => ({
              id: `c${++this.#calls}`,
              type: 'function',
              function: { name: tool, arguments: JSON.stringify(args) },
            }))
      const message = { role: 'assistant', content: typeof reply === 'string' ? reply : null }
      const said = calls === undefined ? message : { ...message, tool_calls: calls }
      const finish_reason = calls === undefined ? 'stop' : 'tool_calls'
      const usage = { prompt_tokens: 11, completion_tokens: 5, total_tokens: 16 }
      const whole = { id: 'x', created: 1, model: request.model, usage }
      if (request.stream !== true) {
        const choices = [{ index: 0, message: said, finish_reason }]
        return { body: { ...whole, object: 'chat.completion', choices } as unknown as Json }
      }
      const delta =
        calls === undefined
          ? said
          : { ...message, tool_calls: calls.map((call, index) => ({ index, ...call })) }
      const choices = [{ index: 0, delta, finish_reason }]
      const chunk = { ...whole, object: 'chat.completion.chunk', choices }
      return {
        headers: { 'content-type': 'text/event-stream' },
        body: `data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`,
      }
    })
  }

  get flags(): readonly string[] {
    return ['--model', 'custom/x', '--base-url', `${this.url}/v1`]
  }

  reset(speaks: Speaks = () => 'Done.'): void {
    this.speaks = speaks
    this.asked.length = 0
    this.received.length = 0
  }
}

/** Returns all messages of a request as one text. */
export function promptOf({ messages }: ChatRequest): string {
  return messages.map(({ content }) => textOf(content)).join('\n')
}

function textOf(content: unknown): string {
  return typeof content === 'string' ? content : JSON.stringify(content ?? '')
}

/** A model that makes these calls in turn, one an answer, and then says this. */
export function calling(
  calls: readonly { readonly tool: string; readonly args: JsonObject }[],
  then = 'Done.',
): Speaks {
  return ({ messages }) => {
    const made = messages.filter(({ role }) => role === 'tool').length
    const next = calls[made]
    return next === undefined ? then : [next]
  }
}

const ORDER = /CALL (\w+) (\{.*?\})(?=[^}]|$)/g

/**
 * A model that has been taken over: it does whatever any text that it is shown tells it to (`CALL tool {json}`), once.
 * @param first calls that it makes before, to be shown such a text
 */
export function obeying(first: readonly { readonly tool: string; readonly args: JsonObject }[] = []): Speaks {
  return (request) => {
    const made = request.messages.filter(({ role }) => role === 'tool').length
    const next = first[made]
    if (next !== undefined) return [next]
    const text = `${promptOf(request)}\n${JSON.stringify(request.tools ?? []).replaceAll('\\"', '"')}`
    const orders = [...text.replaceAll('\\"', '"').matchAll(ORDER)]
    const order = orders[made - first.length]
    if (order === undefined) return 'Done.'
    return [{ tool: order[1] as string, args: JSON.parse(order[2] as string) as JsonObject }]
  }
}

export interface Scene {
  readonly agent?: JsonObject
  readonly root?: JsonObject
  /** Files beside the definition, by name. */
  readonly files?: Readonly<Record<string, string | JsonObject>>
  readonly env?: Record<string, string>
}

/** A definition in a folder of its own, with `send_mail`, which writes what it was given into a file. */
export function stage(t: TestContext, { agent = {}, root = {}, files = {}, env = {} }: Scene = {}): Place {
  const place = new Place(t, definition(agent, root))
  for (const [name, content] of Object.entries(files))
    place.write(name, typeof content === 'string' ? content : JSON.stringify(content))
  Object.assign(place.env, env)
  return place
}

export const AGENT_ID = '5b0f6a0e-92a4-4f8a-9d57-3c1f6e2b8a10'

export function definition(agent: JsonObject = {}, root: JsonObject = {}): JsonObject {
  return {
    sc_standard: 'SC-006',
    sc_version: '3.4.0',
    agent_id: AGENT_ID,
    ...root,
    agent: {
      name: 'Clerk',
      goal: 'Do what is due.',
      model: { provider: 'custom', provider_id: 'custom', preferred: 'x' },
      tools: [SEND_MAIL],
      runtime: { max_retries: 0 },
      ...agent,
    },
  }
}

export const SEND_MAIL: JsonObject = {
  name: 'send_mail',
  description: 'Sends a mail.',
  protocol: 'function',
  parameters_schema: { type: 'object', properties: { to: { type: 'string' } } },
}

export interface Outcome extends Said {
  readonly value: {
    readonly status?: string
    readonly run_id?: string
    readonly output?: unknown
    readonly error?: { readonly code: string; readonly rule?: string; readonly message: string }
    readonly warnings?: readonly { readonly code: string; readonly message: string }[]
    readonly [member: string]: unknown
  }
}

/** Runs a command line with `--json`, in this process. */
export async function command(
  place: Place,
  argv: readonly string[],
  choices: IoChoices = {},
): Promise<Outcome> {
  const said = await waybill(place, [...argv, '--json'], choices)
  return { ...said, value: said.out === '' ? {} : JSON.parse(said.out) }
}

/** `waybill run` of the definition on the stage. */
export function runAgent(place: Place, model: ModelServer, ...more: readonly string[]): Promise<Outcome> {
  const input = more.includes('--input') ? [] : ['--input', 'Go']
  return command(place, ['run', 'agent.json', '--tools', 'tools.mjs', ...input, ...model.flags, ...more])
}

/** The same before a terminal, where an answer is shown as it comes. */
export function shownOnTerminal(place: Place, { url }: Listener): Promise<Said> {
  const model = ['--model', 'custom/x', '--base-url', `${url}/v1`]
  return waybill(place, [...GO, ...model], { outIsTty: true, errIsTty: true })
}

/** A provider that streams a text in pieces. */
export function streaming(t: TestContext, text: string): Promise<Listener> {
  const pieces = text.match(/[\s\S]{1,3}/g) ?? []
  const chunk = (delta: JsonObject, finish: string | null = null) =>
    `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'x', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
  const body = `${pieces.map((content) => chunk({ content })).join('')}${chunk({}, 'stop')}data: [DONE]\n\n`
  return listen(t, () => ({ headers: { 'content-type': 'text/event-stream' }, body }))
}

/** One server for all cases of a file, started with the first of them. */
export function shared<L extends Listener>(make: () => L): () => Promise<L> {
  let started: Promise<L> | undefined
  return async () => {
    started ??= make().start()
    const listener = await started
    listener.received.length = 0
    listener.touched = 0
    return listener
  }
}
