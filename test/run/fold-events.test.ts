import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { RunEvent } from '../../src/run/event.ts'
import { foldEvents } from '../../src/run/record/fold-events.ts'
import type { RunRecords } from '../../src/run/record/records.ts'

type Store = Pick<RunRecords, 'read' | 'events' | 'parts'>

const EVENTS = [1, 2, 3, 4, 5].map((seq) => ({ seq })) as unknown as readonly RunEvent[]
const later = (after = 0) => EVENTS.filter(({ seq }) => seq > after)
const read = (() => ({})) as unknown as RunRecords['read']
const whole: Store = { read, events: (_id, after) => later(after) }
const inParts: Store = {
  read,
  events: () => assert.fail('all events are read at once'),
  async *parts(_id, after) {
    for (const event of later(after)) yield [event]
  },
}

describe('the events of a run', () => {
  for (const [store, runs] of Object.entries({ whole, inParts }))
    for (const after of [undefined, 0, 3, 5])
      test(`are added in order from a store that reads them ${store}, after ${after}`, async () => {
        const added: RunEvent[] = []
        await foldEvents(runs, 'r', (event) => added.push(event), after)
        assert.deepEqual(added, later(after))
      })

  const inconsistent = () => {
    throw new TypeError('there is no such call')
  }

  test('that do not fit one another are a damaged record', async () => {
    for (const runs of [whole, inParts])
      await assert.rejects(foldEvents(runs, 'r', inconsistent), { code: 'RECORD_DAMAGED' })
  })

  test('of a later version are reported by the store', async () => {
    const newer = { ...whole, read: () => assert.fail('a later version') }
    await assert.rejects(foldEvents(newer, 'r', inconsistent), /a later version/)
  })

  test('end with every other error as it is', async () => {
    const failing = () => {
      throw new RangeError('not of the record')
    }
    await assert.rejects(foldEvents(whole, 'r', failing), RangeError)
  })
})
