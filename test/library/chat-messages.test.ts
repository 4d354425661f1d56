import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openAgent } from '../../src/index.ts'
import type { ModelAnswer, ModelPort, ModelRequest } from '../../src/run/ports.ts'
import { calls, text } from '../run/fixture.ts'

type Answer = ModelAnswer | ((signal: AbortSignal) => Promise<ModelAnswer>)

const DEFINITION = {
  sc_standard: 'SC-006',
  agent_id: '0b0c8f5e-7a55-4f0e-9a6b-6a3f0f0a1b2c',
  agent: {
    name: 'Clerk',
    goal: 'Answer.',
    model: { provider: 'openai', preferred: 'gpt-4o' },
    tools: [{ name: 'send', description: 'Sends.', protocol: 'function' }],
    compliance: { human_in_the_loop: { enabled: true } },
  },
}

async function chatWith(...script: Answer[]) {
  const asked: ModelRequest[] = []
  const modelPort: ModelPort = {
    async ask(request, { signal }) {
      const next = script[asked.push(request) - 1]
      if (next === undefined) throw new Error('the script has no more answers')
      return typeof next === 'function' ? next(signal) : next
    },
  }
  const sent: unknown[] = []
  const agent = await openAgent(DEFINITION as never, {
    env: { OPENAI_API_KEY: 'not-used' },
    tools: { send: (args: unknown) => void sent.push(args) },
    modelPort,
  })
  return { chat: await agent.chat(), asked, sent, agent }
}

const textsOf = ({ messages }: ModelRequest) =>
  messages.flatMap((message) => (message.role === 'user' ? [message.text] : []))

describe('messages to a conversation of the library', () => {
  test('steer sends a message to the turn in progress, and to no other', async () => {
    const { chat, asked, agent } = await chatWith(async () => {
      assert.equal(chat.steer('shorter'), true)
      return text('long')
    }, text('short'))
    assert.equal(chat.steer('too early'), false)
    const result = await chat.say('one')
    assert.equal(result.output, 'short')
    assert.deepEqual(textsOf(asked[1] as ModelRequest), ['one', 'shorter'])
    assert.equal(chat.steer('too late'), false)
    await chat.close()
    await agent.close()
  })

  for (const onBusy of ['interrupt', 'rollback'] as const)
    test(`${onBusy}: the turn in progress ends as cancelled, and the input is the next turn`, async () => {
      let next: Promise<unknown> = Promise.resolve()
      const { chat, asked, agent } = await chatWith(() => {
        next = chat.say('two', { onBusy })
        return new Promise(() => {})
      }, text('2'))
      const first = await chat.say('one')
      assert.deepEqual([first.status, first.error?.code], ['cancelled', 'TURN_INTERRUPTED'])
      assert.equal(((await next) as typeof first).output, '2')
      assert.equal(textsOf(asked[1] as ModelRequest).includes('one'), onBusy === 'interrupt')
      await chat.close()
      await agent.close()
    })

  test('an interruption continues a conversation that waits for a person, and sends nothing', async () => {
    const { chat, sent, agent } = await chatWith(calls(['a', 'send', {}]), text('2'))
    assert.equal((await chat.say('one')).status, 'awaiting_approval')
    await assert.rejects(chat.say('two'), { code: 'TURN_UNFINISHED' })
    assert.equal((await chat.say('two', { onBusy: 'interrupt' })).output, '2')
    assert.deepEqual(sent, [])
    await chat.close()
    await agent.close()
  })
})
