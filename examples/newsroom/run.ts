// Agents that work together: a pipeline whose second step is a swarm that votes, and whose third may hand off.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseAgentDefinition, planRun, type RunOptions, run } from 'waybill'

const folder = import.meta.dirname
const desk = parseAgentDefinition(readFileSync(join(folder, 'desk.yaml'), 'utf8'))

const plan = await planRun(desk, { folder, rehearse: true })
assert.deepEqual(plan.orchestration?.steps, ['report', 'check', 'write'])

// A rehearsal: doubles answer for every agent, so the whole topology is walked through without a key.
const home = mkdtempSync(join(tmpdir(), 'waybill-newsroom-'))
try {
  const rehearsed = await run(desk, { input: 'The bridge opens in May.', folder, rehearse: true, home })
  assert.equal(rehearsed.status, 'completed')
  assert.deepEqual(
    rehearsed.subagents.map(({ alias, status }) => `${alias} ${status}`),
    ['report completed', 'check completed', 'write completed'],
  )
  assert.equal(rehearsed.usage.llm_calls, 6)
} finally {
  rmSync(home, { recursive: true, force: true })
}

// With models of our own, by the agent's name: two readers of three find the claim sound, so the writer writes.
const sound = await print(['sound', 'disputed', 'sound'])
assert.deepEqual(sound.output, { headline: 'Bridge opens', text: 'by the writer' })
assert.ok(!sound.asked.includes('Editor'))

// Two dispute it, so the writer hands it off.
const disputed = await print(['disputed', 'disputed', 'sound'])
assert.deepEqual(disputed.output, { headline: 'Bridge may open', text: 'by the editor' })

// One cannot say, and the others disagree: there is no majority, and nothing is printed.
const split = await print(['sound', 'disputed', 'unsure'])
assert.equal(split.status, 'failed')
assert.equal(split.error?.code, 'SUBAGENT_FAILED')
assert.match(split.error?.message ?? '', /CONSENSUS_NOT_REACHED/)

process.stdout.write('walked through, printed, handed off, and held back without a majority\n')

async function print(verdicts: readonly string[]) {
  const asked: string[] = []
  const readers = [...verdicts]
  const says: Record<string, () => unknown> = {
    Reporter: () => 'The bridge opens in May.',
    Reader: () => ({
      verdict: readers.length > 1 ? readers.shift() : readers[0],
      claim: 'The bridge opens in May.',
    }),
    Writer: () => ({ headline: 'Bridge opens', text: 'by the writer' }),
    Editor: () => ({ headline: 'Bridge may open', text: 'by the editor' }),
  }
  const modelPort: RunOptions['modelPort'] = {
    ask: async ({ plan: { agent_name } }) => {
      asked.push(agent_name)
      const answer = says[agent_name]?.()
      return {
        message: {
          role: 'assistant',
          text: typeof answer === 'string' ? answer : JSON.stringify(answer),
          calls: [],
        },
        finish: 'stop',
        usage: { input_tokens: 1, output_tokens: 1 },
        warnings: [],
      }
    },
  }
  const env = { OPENAI_API_KEY: 'not used by the script' }
  return { ...(await run(desk, { input: 'A tip.', folder, env, modelPort })), asked }
}
