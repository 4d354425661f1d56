import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { decideThere } from '../../src/cli/approvals/decide-there.ts'
import { TypeAhead } from '../../src/cli/chat/type-ahead.ts'
import { EXIT, type Io } from '../../src/cli/io.ts'
import { followRun } from '../../src/cli/remote/follow-run.ts'
import type { ServerClient } from '../../src/cli/remote/server-client.ts'
import { askHosts } from '../../src/cli/run-view/ask-hosts.ts'
import { promptPerson, type Question } from '../../src/cli/run-view/ask-person.ts'
import { Screen } from '../../src/cli/terminal/screen.ts'
import type { Json } from '../../src/document/json.ts'
import type { Plan } from '../../src/plan/plan.ts'
import { TYPED } from './typed-words.ts'

const RUN = '01a1ffb2-0000-7000-8000-000000000001'

/** A terminal at which a word and Enter are typed when the question is open: at once, or key by key. */
function typist(word: string, question: RegExp, perKey: boolean) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => {} })
  let text = ''
  let open = false
  const err = (piece: string) => {
    text += piece
    if (open || !question.test(text)) return
    open = true
    void type()
  }
  const type = async () => {
    for (const piece of perKey ? [...word, '\r'] : [`${word}\r`]) {
      await sleep(1)
      stdin.write(piece)
    }
  }
  const io: Io = { cwd: '.', env: {}, out: err, err, stdin, outIsTty: true, errIsTty: true, color: false }
  return { io, stdin, text: () => text, open: () => open }
}

/** Calls `prove` for each word, many at a time, because each question waits for what was typed before it. */
async function eachWord(prove: (word: string, perKey: boolean) => Promise<void>): Promise<void> {
  for (let from = 0; from < TYPED.length; from += 60)
    await Promise.all(TYPED.slice(from, from + 60).map((word, index) => prove(word, index % 2 === 0)))
}

function question(status: 'asking' | 'unknown'): Question {
  const call = { id: 'c1', tool: 'refund', args: { eur: 40 }, key: '', effect: 'once', status }
  const plan = { agent_id: 'a', agent_name: 'Clerk', definition_hash: 'h', tools: [] }
  const signal = new AbortController().signal
  return {
    ...{ call, args: call.args, plan, signal, by: 'ada', home: {}, state: {}, definitions: { h: 'd' } },
    settled: async () => undefined,
  } as unknown as Question
}

/** A server with one run that waits for a person. @returns what was decided */
function waitingServer(asks: 'approval' | 'unknown', votes?: Json) {
  const decided: Json[] = []
  const run = {
    run_id: RUN,
    status: 'awaiting_approval',
    agent_id: 'a',
    output: '',
    warnings: [],
    subagents: [],
  }
  const model = { provider: 'custom', model: 'x' }
  const usage = { input_tokens: 0, output_tokens: 0, cost_usd: null, llm_calls: 1, tool_calls: 0 }
  const item = {
    id: 'q1',
    run_id: RUN,
    call_id: 'c1',
    tool: 'refund',
    arguments: { eur: 40 },
    asks,
    digest: 'd1',
  }
  const server = {
    url: 'http://server.example',
    async send(method: string, path: string, body?: Json) {
      if (method === 'POST') decided.push(body ?? null)
      if (method === 'POST') return {}
      if (path.startsWith('/v1/approvals'))
        return { items: [{ ...item, ...(votes && { votes }) }], next: null }
      if (path.startsWith('/v1/runs?')) return { items: [run], next: null }
      return { ...run, model, usage: { ...usage, iterations: 1, duration_ms: 1 }, stop_reason: 'approval' }
    },
    async *follow() {
      yield { event: 'end', data: {} }
    },
  } as unknown as ServerClient
  return { server, decided }
}

describe('text that was typed for something else', () => {
  for (const status of ['asking', 'unknown'] as const)
    test(`decides nothing at the question of a run on this machine: a call is ${status}`, async () => {
      const stage = { draftEnds: async () => {}, whileHeld: <T>(act: () => Promise<T>) => act() }
      await eachWord(async (word, perKey) => {
        const { io } = typist(word, /● Decide later/, perKey)
        assert.deepEqual(await promptPerson(question(status), io, stage), { kind: 'later' }, word)
      })
    })

  test('decides nothing in a chat, and stays with the message: before the question, and on both sides of it', async () => {
    await eachWord(async (word, perKey) => {
      const { io, stdin, open, text } = typist(word, /● Decide later/, perKey)
      const ahead = new TypeAhead(io)
      const screen = new Screen(io, { typing: ahead })
      stdin.write(`I think ${word.trim() === '' ? 'so' : ''}`)
      while (!ahead.hasDraft()) await sleep(1)
      const answer = promptPerson(question('asking'), io, screen)
      await sleep(5)
      assert.equal(open(), false, 'the message is not sent')
      assert.match(text(), /refund waits for your decision: send your message with Enter, or erase it/)
      for (const piece of perKey ? [...word] : [word]) stdin.write(piece)
      await sleep(5)
      assert.equal(open(), false, 'the message is not sent')
      stdin.write('\r')
      assert.deepEqual(await answer, { kind: 'later' }, word)
      screen.close()
      assert.match(ahead.nextMessage() ?? '', /^I think /)
    })
  })

  test('decides nothing at the question of a run on a server', async () => {
    process.setMaxListeners(200)
    for (const asks of ['approval', 'unknown'] as const)
      await eachWord(async (word, perKey) => {
        const { io } = typist(word, /● Decide later/, perKey)
        const { server, decided } = waitingServer(asks)
        assert.equal(await followRun(server, RUN, { json: false }, io), EXIT.waiting, word)
        assert.deepEqual(decided, [], word)
      })
  })

  test('approves no arguments that others have edited', async () => {
    const votes = { needed: 2, given: [{ by: 'ben', verdict: 'edit', digest: 'd2', arguments: { eur: 4 } }] }
    const request = { verdict: 'approve', wanted: RUN, callId: undefined, options: {} } as const
    await eachWord(async (word, perKey) => {
      const { io } = typist(word, /● Decide later/, perKey)
      const { server, decided } = waitingServer('approval', votes)
      assert.equal(await decideThere(server, request, io, () => {}), false, word)
      assert.deepEqual(decided, [], word)
    })
  })

  test('grants no host', async () => {
    const missing = [{ host: 'crm.example.com', tools: ['crm'] }]
    const plan = { agent_name: 'Clerk', agent_id: 'a' } as Plan
    await eachWord(async (word, perKey) => {
      const { io } = typist(word, /● No/, perKey)
      assert.deepEqual(await askHosts(missing, plan, io), { hosts: [], remembered: [] }, word)
    })
  })
})
