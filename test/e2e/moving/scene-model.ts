import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import type { Gates } from './gates.ts'

/**
 * One answer of the model. In its texts `{tag}` is the mark of the run, and `{last}` the latest message. `halt`: the
 * answer stops in its middle at the gate with this name.
 */
export type Reply =
  | { readonly call: string; readonly args?: Readonly<Record<string, unknown>>; readonly halt?: string }
  | {
      readonly calls: readonly { readonly call: string; readonly args?: Readonly<Record<string, unknown>> }[]
    }
  | { readonly say: string; readonly halt?: string }

/** The text in the instructions of an agent that makes the model answer its rounds of a turn in this way. */
export function script(...replies: readonly Reply[]): string {
  return `SCRIPT ${JSON.stringify(replies)} END`
}

/** Marks the input of a run. Marks have the same length, so that runs differ in nothing else. */
export function tagged(tag: string, text = 'go'): string {
  return `${text} tag=${tag}.`
}

interface Message {
  readonly role: string
  readonly content: unknown
  readonly tool_calls?: readonly unknown[]
}

export interface SceneModel {
  readonly url: string
  /** What it was asked in runs with this mark, each question once, with the mark replaced. */
  questions(tag: string): readonly string[]
  /** How often it was asked in runs with this mark. */
  asked(tag: string): number
}

/**
 * A model whose answers depend on its instructions and the conversation alone. A conversation that ends with a part of
 * the answer gets the rest of it.
 */
export async function sceneModel(t: Pick<TestContext, 'after'>, gates: Gates): Promise<SceneModel> {
  const asked: { readonly tag: string; readonly text: string }[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { messages, stream, tools } = JSON.parse(Buffer.concat(chunks).toString())
    const tag = tagOf(messages)
    asked.push({ tag, text: JSON.stringify({ messages, tools }).replaceAll(tag, 'TAG') })
    const reply = replyTo(messages, tag)
    const halt = async () => {
      if ('halt' in reply && reply.halt !== undefined) await gates.pass(`${tag} ${reply.halt}`)
    }
    if (stream !== true) {
      await halt()
      const { content, tool_calls } = choiceOf(reply)
      const message = { role: 'assistant', content: content ?? null, ...(tool_calls && { tool_calls }) }
      const choice = { index: 0, message, finish_reason: finishOf(reply) }
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ ...ABOUT, object: 'chat.completion', choices: [choice] }))
      return
    }
    response.setHeader('content-type', 'text/event-stream')
    await streamed(response, reply, halt)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    gates.openAll()
    server.closeAllConnections()
    server.close()
  })
  const of = (tag: string) => asked.filter((one) => one.tag === tag).map(({ text }) => text)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    questions: (tag) => [...new Set(of(tag))].sort(),
    asked: (tag) => of(tag).length,
  }
}

const usage = { prompt_tokens: 5, completion_tokens: 5, total_tokens: 10 }
const ABOUT = { id: 'x', created: 1, model: 'm', usage }

const textOf = ({ content }: Message) =>
  typeof content === 'string' ? content : JSON.stringify(content ?? '')

function tagOf(messages: readonly Message[]): string {
  const all = messages.filter(({ role }) => role === 'user').map(textOf)
  return /tag=(\w+)\./.exec(all.at(-1) ?? '')?.[1] ?? /tag=(\w+)\./.exec(all.join(' '))?.[1] ?? 'none'
}

/** A reply of which the conversation contains the beginning. */
type Due = Reply & { readonly begun?: string }

function replyTo(messages: readonly Message[], tag: string): Due {
  const at = messages.findLastIndex(({ role }) => role === 'user')
  const instructions = messages
    .filter(({ role }) => role === 'system' || role === 'developer')
    .map(textOf)
    .join('\n')
  const source = /SCRIPT (\[.*?\]) END/s.exec(
    `${textOf(messages[at] ?? { role: '', content: '' })}\n${instructions}`,
  )
  const replies = JSON.parse(source?.[1] ?? '[]') as readonly Reply[]
  const rounds = messages.slice(at + 1).filter(({ tool_calls }) => (tool_calls ?? []).length > 0).length
  const input = at < 0 ? '' : textOf(messages[at] as Message)
  const latest = messages.at(-1)
  const last = latest === undefined ? '' : textOf(latest)
  const filled = JSON.parse(
    JSON.stringify(replies[rounds] ?? { say: 'done {tag}' }),
    (_key, value: unknown) =>
      typeof value === 'string'
        ? value.replaceAll('{tag}', tag).replaceAll('{input}', input).replaceAll('{last}', last)
        : value,
  ) as Reply
  const isBegun = latest?.role === 'assistant' && (latest.tool_calls ?? []).length === 0
  if ('say' in filled && isBegun && last !== '' && filled.say.startsWith(last))
    return { ...filled, begun: last }
  return filled
}

function choiceOf(reply: Due) {
  if ('say' in reply) return { content: reply.say.slice(reply.begun?.length ?? 0) }
  const calls = 'calls' in reply ? reply.calls : [reply]
  return {
    tool_calls: calls.map(({ call, args = {} }, index) => ({
      index,
      id: `c${index + 1}`,
      type: 'function',
      function: { name: call, arguments: JSON.stringify(args) },
    })),
  }
}

const finishOf = (reply: Reply) => ('say' in reply ? 'stop' : 'tool_calls')

async function streamed(response: ServerResponse, reply: Due, halt: () => Promise<void>): Promise<void> {
  const { content, tool_calls } = choiceOf(reply)
  const send = (delta: object, finish_reason: string | null = null) =>
    response.write(
      `data: ${JSON.stringify({ ...ABOUT, ...(finish_reason === null && { usage: null }), object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] })}\n\n`,
    )
  const half = (content?.length ?? 0) >> 1
  if (content !== undefined) send({ role: 'assistant', content: content.slice(0, half) })
  await halt()
  send(content === undefined ? { role: 'assistant', tool_calls } : { content: content.slice(half) })
  send({}, finishOf(reply))
  response.end('data: [DONE]\n\n')
}
