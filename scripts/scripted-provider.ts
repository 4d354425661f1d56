import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Question {
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
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify(completion(answerTo(question))))
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

function completion(answer: Answer): object {
  const message =
    'text' in answer
      ? { role: 'assistant', content: answer.text }
      : {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              id: `call_${answer.tool}`,
              type: 'function',
              function: { name: answer.tool, arguments: JSON.stringify(answer.args) },
            },
          ],
        }
  return {
    id: 'scripted',
    object: 'chat.completion',
    created: 0,
    model: 'scripted',
    choices: [{ index: 0, message, finish_reason: 'text' in answer ? 'stop' : 'tool_calls' }],
    usage: { prompt_tokens: 120, completion_tokens: 20, total_tokens: 140 },
  }
}
