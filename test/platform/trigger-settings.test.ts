import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Json, JsonObject } from '../../src/document/json.ts'
import { compileCheck } from '../../src/http/schema-check.ts'
import {
  changedTrigger,
  isSetting,
  newTrigger,
  settingNames,
  type TriggerKind,
  type TriggerSettings,
  triggerView,
} from '../../src/platform/triggers/trigger.ts'
import { checkSettings } from '../../src/platform/triggers/trigger-settings.ts'

const filter = { lang: 'cel', expr: 'type == "order.paid"' }
const overlap = 'skip'

/** All settings of each kind: one that is added to a kind must work everywhere. */
const SETTINGS: { readonly [K in TriggerKind]: TriggerSettings } = {
  schedule: {
    filter,
    overlap,
    schedule: '0 9 * * *',
    timezone: 'Europe/Berlin',
    missed: 'all',
    catch_up_seconds: 60,
    input: { a: 1 },
  },
  webhook: { filter, overlap, format: 'github', headers: ['x-shop'], events: ['push'] },
  message: { filter },
  event: { filter, overlap, event: 'run.ended', of_agent: 'other', statuses: ['failed'] },
  agent_handoff: { of_agent: 'other' },
}

const isNew = compileCheck(newTrigger)
const isChange = compileCheck(changedTrigger)

const json = (value: object): Json => JSON.parse(JSON.stringify(value))

function kinds(): readonly TriggerKind[] {
  return Object.keys(SETTINGS) as TriggerKind[]
}

describe('the settings of a trigger', () => {
  test('each setting of a kind is accepted by requests, stored, and described in answers', () => {
    const described = Object.keys(triggerView.properties as JsonObject)
    for (const kind of kinds()) {
      const settings = SETTINGS[kind]
      assert.deepEqual(Object.keys(settings), settingNames(kind), kind)
      assert.deepEqual(checkSettings(kind, settings), settings, kind)
      assert.deepEqual(isNew(json({ agent_id: 'a', kind, ...settings })), [], kind)
      assert.deepEqual(isChange(json(settings)), [], kind)
      for (const name of settingNames(kind)) assert.ok(described.includes(name) && isSetting(name), name)
    }
  })

  test('a setting of another kind, and one that is not known, are refused at every entrance', () => {
    for (const kind of kinds()) {
      const foreign = kinds().flatMap((other) => Object.entries(SETTINGS[other]))
      const others = foreign.filter(([name]) => !settingNames(kind).includes(name))
      for (const [name, value] of [...others, ['a/b', 1], ['toString', 1]] as const) {
        const given = { ...SETTINGS[kind], [name]: value } as TriggerSettings
        const at = `/${name.replace('/', '~1')}`
        assert.throws(
          () => checkSettings(kind, given),
          new RegExp(`^WaybillError[^]*${at}: a trigger of kind`),
        )
        assert.equal(isNew(json({ agent_id: 'a', kind, ...given }))[0]?.code, 'UNKNOWN_MEMBER', name)
      }
    }
    assert.equal(isChange({ unknown: 1 })[0]?.code, 'UNKNOWN_MEMBER')
  })

  test('settings have one order, whatever the order of the request was, and none that is undefined', () => {
    const { schedule, filter, ...rest } = SETTINGS.schedule
    const given: object = { ...rest, schedule, filter, missed: undefined }
    assert.equal(
      JSON.stringify(checkSettings('schedule', given)),
      JSON.stringify({ ...SETTINGS.schedule, missed: undefined }),
    )
  })
})
