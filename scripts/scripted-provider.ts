import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Question {
  readonly stream?: boolean
  readonly messages: readonly { readonly role: string; readonly content?: unknown; readonly name?: string }[]
  readonly tools?: readonly { readonly function: { readonly name: string } }[]
}

export interface ScriptedProvider {
  /** For `--base-url`. */
  readonly url: string
  close(): void
}

/**
 * Replaces a provider with an OpenAI-compatible API on loopback, for the demo and the commands in the documentation.
 * Plays the parcel clerk: looks up a parcel, books a pick-up on request, then answers.
 */
export async function startScriptedProvider(): Promise<ScriptedProvider> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const question = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Question
    const answer = answerTo(question)
    if (question.stream === true)
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(streamed(answer))
    else
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(completion(answer)))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

type Answer = { readonly text: string } | { readonly tool: string; readonly args: object }

function answerTo({ messages, tools = [] }: Question): Answer {
  const from = messages.findLastIndex(({ role }) => role === 'user')
  const asked = textOf(messages[from]?.content)
  const results = messages.slice(from + 1).filter(({ role }) => role === 'tool')
  const number = /\b1Z[0-9A-Z]+\b/.exec(asked)?.[0] ?? '1Z999AA1'
  const steps: readonly Answer[] = [
    { tool: 'find_parcel', args: { number } },
    ...(/pick|fetch|collect/i.test(asked)
      ? [{ tool: 'book_pickup', args: { number, day: '2026-12-01' } }]
      : []),
  ].filter(({ tool }) => tools.some((offered) => offered.function.name === tool))
  const next = steps[results.length]
  if (next !== undefined) return next
  if (steps.length === 0) return { text: `You said: ${asked}` }
  const place = /"place":"([^"]+)"/.exec(textOf(results[0]?.content))?.[1]
  const booked = steps.length > 1 && !/not approve|did not take effect/.test(textOf(results[1]?.content))
  const where = place === undefined ? 'I could not look it up' : `It is in ${place}`
  return {
    text: JSON.stringify({ answer: `${where}.${booked ? ' We fetch it on 1 December.' : ''}`, booked }),
  }
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  return Array.isArray(content) ? content.map((part) => (part as { text?: string }).text ?? '').join('') : ''
}

const COMMON = { id: 'scripted', created: 0, model: 'scripted' }
const USAGE = { prompt_tokens: 120, completion_tokens: 20, total_tokens: 140 }

function completion(answer: Answer): object {
  const choice = { index: 0, message: messageOf(answer), finish_reason: finishOf(answer) }
  return { ...COMMON, object: 'chat.completion', choices: [choice], usage: USAGE }
}

/** The same answer as server-sent events. */
function streamed(answer: Answer): string {
  const chunk = (choices: readonly object[], more = {}) =>
    `data: ${JSON.stringify({ ...COMMON, object: 'chat.completion.chunk', choices, ...more })}\n\n`
  return [
    chunk([{ index: 0, delta: messageOf(answer), finish_reason: null }]),
    chunk([{ index: 0, delta: {}, finish_reason: finishOf(answer) }]),
    chunk([], { usage: USAGE }),
    'data: [DONE]\n\n',
  ].join('')
}

function finishOf(answer: Answer): string {
  return 'text' in answer ? 'stop' : 'tool_calls'
}

function messageOf(answer: Answer): object {
  if ('text' in answer) return { role: 'assistant', content: answer.text }
  const called = { name: answer.tool, arguments: JSON.stringify(answer.args) }
  const call = { index: 0, id: `call_${answer.tool}`, type: 'function', function: called }
  return { role: 'assistant', content: null, tool_calls: [call] }
}
