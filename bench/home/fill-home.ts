import { v7 as uuidv7 } from 'uuid'
import { type Home, type InlineTool, openHome, parseAgentDefinition, run } from '../../src/index.ts'
import { apply } from '../../src/run/apply.ts'
import type { ModelPort } from '../../src/run/ports.ts'
import { recordSink } from '../../src/session/run-records.ts'

/** How runs end, and how many of a hundred. */
const ENDS = [
  ['completed', 90],
  ['failed', 5],
  ['awaiting_approval', 5],
] as const
type End = (typeof ENDS)[number][0]

/** Number of calls of a run. */
const CALLS = 4

/**
 * Fills a home with audited runs: one of each kind is executed, the others are copies of its events with their own ids,
 * stored through the port as by a driver.
 * @returns the id of a run that awaits a decision
 */
export async function fillHome(folder: string, runs: number): Promise<string> {
  const home = await openHome(folder, { OPENAI_API_KEY: 'not-a-key' })
  try {
    const samples = new Map<End, string>()
    for (const [end] of ENDS) samples.set(end, await driven(end, home))
    const first = Date.now() - runs * 60_000
    for (let n = ENDS.length; n < runs; n++) {
      const [end] = ENDS.find((_, at) => n % 100 < sum(at)) ?? ENDS[0]
      await copy(home, samples.get(end) ?? '', new Date(first + n * 60_000))
    }
    return samples.get('awaiting_approval') ?? ''
  } finally {
    await home.close()
  }
}

/** Returns how many of a hundred runs are of this kind or an earlier one. */
function sum(at: number): number {
  return ENDS.slice(0, at + 1).reduce((all, [, share]) => all + share, 0)
}

async function driven(end: End, home: Home): Promise<string> {
  const tool = (name: string) => ({
    name,
    description: `Does a ${name}.`,
    protocol: 'function',
    parameters_schema: { type: 'object', properties: { n: { type: 'integer' } } },
  })
  const definition = parseAgentDefinition(
    JSON.stringify({
      sc_standard: 'SC-006',
      agent: {
        name: `Clerk (${end})`,
        goal: 'Write everything once.',
        model: { provider: 'openai', preferred: 'm' },
        tools: [tool('write')],
        runtime: { max_retries: 0 },
        compliance: { audit_log: true, human_in_the_loop: { enabled: end === 'awaiting_approval' } },
      },
    }),
  )
  const write: InlineTool = () => ({ done: true })
  const result = await run(definition, {
    input: 'Write what is due.',
    home,
    modelPort: modelOf(end),
    tools: { write },
  })
  if (result.status !== end) throw new Error(`it is ${result.status} instead of ${end}`)
  return result.run_id
}

function modelOf(end: End): ModelPort {
  return {
    async ask({ messages }) {
      const round = messages.filter(({ role }) => role === 'assistant').length
      if (round === CALLS && end === 'failed') throw new Error('the model is broken')
      const calls = round < CALLS ? [{ id: `call_${round}`, tool: 'write', args: { n: round } }] : []
      return {
        message: { role: 'assistant', text: 'All is written.', calls },
        finish: calls.length > 0 ? 'tool_calls' : 'stop',
        usage: { input_tokens: 100, output_tokens: 20 },
        warnings: [],
      }
    },
  }
}

async function copy({ runs }: Home, sample: string, at: Date): Promise<void> {
  const { header, plan, family } = await runs.read(sample)
  const events = await runs.events(sample)
  const [started] = events
  if (started?.fact.type !== 'run.started') throw new Error(`run ${sample} has not begun`)
  const open = await runs.create({
    header: { ...header, run_id: uuidv7(), created_at: at.toISOString() },
    plan,
    family,
    first: started.fact,
  })
  const sink = recordSink(open, plan, { audits: true, pii: { takeSealed: () => [] } })
  await sink.append(events, false, events.reduce(apply, open.state))
  await open.close()
}
