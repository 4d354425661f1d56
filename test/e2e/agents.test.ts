import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { randomNumbers } from '../../scripts/random-numbers.ts'
import type { RunEvent } from '../../src/run/event.ts'
import type { RunResult } from '../../src/run/result.ts'
import { Place, waybill } from '../cli/fixture.ts'
import { httpCollector } from '../telemetry/collector.ts'
import type { AgentCase } from './agents/case.ts'
import { AGENT_CASES } from './agents/cases.ts'
import { assertOutcome, commandLine, rootsOf } from './agents/outcome.ts'
import { treeOf } from './agents/span-tree.ts'
import { openAgentWorld } from './agents/world.ts'

describe('orchestrated agents, each with its model over HTTP', () => {
  for (const its of AGENT_CASES) test(its.name, (t) => comesOut(t, its))
})

/** The same text is in four places: the output, the events, the record, and the data of a collector. */
async function comesOut(t: TestContext, its: AgentCase): Promise<void> {
  const world = await openAgentWorld(its, randomNumbers(1))
  t.after(() => world.close())
  const collector = await httpCollector(t)
  const place = new Place(t)
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }
  const said = await waybill(place, [...commandLine(its, place, world), '--events', 'ndjson'], { env })
  assert.equal(said.code, its.error === undefined ? 0 : 3, said.err)
  const [root = ''] = await rootsOf(place)
  const shown = await waybill(place, ['runs', 'show', root, '--json'])
  await assertOutcome(its, JSON.parse(shown.out) as RunResult, place, world)
  await assertEmitted(said.out, place)
  const spans = await collector.runs(its.spans.match(/\brun /g)?.length ?? 0)
  assert.equal(treeOf(spans.map((span) => ({ ...span, failed: span.error }))), its.spans)
  assert.equal(new Set(spans.map(({ trace }) => trace)).size, 1)
}

/**
 * A reader of the events gets each record completely and in order, with the records of several agents interleaved.
 */
async function assertEmitted(out: string, place: Place): Promise<void> {
  const emitted = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as RunEvent & { readonly run_id: string; readonly type: string })
  for (const id of await place.runIds()) {
    const own = emitted.filter(({ run_id }) => run_id === id)
    assert.deepEqual(
      own.map(({ seq, type }) => [seq, type]),
      (await place.events(id)).map(({ seq, fact }) => [seq, fact.type]),
    )
  }
}
