import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Json } from '../../../src/document/json.ts'
import { type Attack, type Category, type Control, numbered } from '../attack.ts'
import { definition, ModelServer, runAgent, stage } from '../world.ts'

const LONG = 'A long answer that nobody has asked for, and that somebody must pay for. '.repeat(20)

interface Outcome {
  readonly requests: number
  readonly code: string | undefined
  readonly stop: string
}

/** Runs an agent with a budget against a provider whose answers are changed on their way. */
async function spend(
  t: TestContext,
  budget: string,
  answer: ModelServer['answers'] | undefined,
  runtime: object = { max_retries: 9, retry_backoff: 'fixed' },
): Promise<Outcome> {
  const model = await new ModelServer().start()
  t.after(() => model.stop())
  if (answer !== undefined) model.answers = answer
  const place = stage(t, { agent: definition({ tools: [], runtime: runtime as Json }).agent as never })
  const { value } = await runAgent(place, model, '--budget', budget)
  const { error, stop_reason } = value
  return { requests: model.received.length, code: error?.code, stop: String(stop_reason) }
}

/** Calls a tool that does not exist, for ever, and reports this usage. */
const endless = (usage: Json | undefined): ModelServer['answers'] => {
  let n = 0
  return () => {
    const call = { id: `c${++n}`, type: 'function', function: { name: 'none', arguments: '{}' } }
    const message = { role: 'assistant', content: LONG, tool_calls: [call] }
    const choices = [{ index: 0, message, finish_reason: 'tool_calls' }]
    const body = { id: 'x', object: 'chat.completion', created: 1, model: 'x', choices }
    return { body: (usage === undefined ? body : { ...body, usage }) as unknown as Json }
  }
}

const failing = (by: string, answer: ModelServer['answers']): Omit<Attack, 'id'> => ({
  attack: 'makes every request fail, so that it is sent again',
  by,
  holds: 'no more requests leave than the budget allows',
  try: async (t) => {
    assert.deepEqual(await spend(t, 'calls=3', answer), {
      requests: 3,
      code: 'BUDGET_EXCEEDED',
      stop: 'budget',
    })
  },
})

const unreported = (by: string, usage: Json | undefined): Omit<Attack, 'id'> => ({
  attack: 'reports less than it has used',
  by,
  holds: 'the usage is estimated, and the run stops at its budget of tokens',
  try: async (t) => {
    const { requests, code } = await spend(t, 'tokens=600', endless(usage))
    assert.ok(requests < 6, `${requests} requests`)
    assert.equal(code, 'BUDGET_EXCEEDED')
  },
})

const attacks = numbered('budget', [
  failing('HTTP 500', () => ({ status: 500, body: 'no' })),
  failing('HTTP 429', () => ({ status: 429, headers: { 'retry-after': '0' }, body: 'no' })),
  failing('a truncated answer', () => ({
    headers: { 'content-type': 'application/json' },
    body: '{"choices":',
  })),
  unreported('an answer without usage', undefined),
  unreported('an empty usage', {}),
  unreported('a usage of zeros', { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }),
  unreported('a negative usage', { prompt_tokens: -99999, completion_tokens: -99999, total_tokens: -199998 }),
])

const controls: readonly Control[] = [
  {
    passes: 'a run that stays within its budget completes, after a failure too',
    try: async (t) => {
      assert.equal((await spend(t, 'calls=1,tokens=5000,seconds=60', undefined)).stop, 'final')
      const model = new ModelServer()
      const { answers } = model
      let n = 0
      const once: ModelServer['answers'] = (request) =>
        n++ === 0 ? { status: 500, body: 'no' } : answers.call(model, request)
      assert.deepEqual(await spend(t, 'calls=2', once), { requests: 2, code: undefined, stop: 'final' })
    },
  },
]

export const budgets: Category = {
  name: 'Spending more than the budget',
  enforced: 'the core of the run, before each request',
  file: 'test/redteam/budgets.test.ts',
  attacks,
  controls,
}
