import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { Place, waybill } from '../cli/fixture.ts'

const fixtures = `${process.env.WAYBILL_TEST_DATA ?? '../shared'}/reference/aaif/fixtures`

/** What each file of `invalid/` states by its name: the place of the fault, and its code. */
const FAULTS: Readonly<Record<string, readonly [code: string, pointer: string]>> = {
  'bad-agent-status.json': ['NOT_IN_ENUM', '/status'],
  'bad-condition-lang.json': ['NOT_IN_ENUM', '/agent/orchestration/subagents/0/when/lang'],
  'bad-routing-strategy.json': ['NOT_IN_ENUM', '/agent/model/routing_strategy'],
  'bad-safety-level.json': ['NOT_IN_ENUM', '/agent/compliance/safety_level'],
  'bad-tool-protocol.json': ['NOT_IN_ENUM', '/agent/tools/0/protocol'],
  'condition-missing-expr.json': ['REQUIRED_MISSING', '/agent/events/triggers/0/filter/expr'],
  'custom-provider-no-id.json': ['REQUIRED_MISSING', '/agent/model/provider_id'],
  'missing-goal.json': ['REQUIRED_MISSING', '/agent/goal'],
  'missing-name.json': ['REQUIRED_MISSING', '/agent/name'],
  'state-missing-agent-id.json': ['REQUIRED_MISSING', '/agent_id'],
  'unknown-root-key.json': ['UNKNOWN_MEMBER', '/metadata'],
}

interface Validated {
  readonly ok: boolean
  readonly files: readonly {
    readonly issues: readonly { readonly severity: string; readonly code: string; readonly pointer: string }[]
  }[]
}

describe('SPEC-Y-01: the fixtures of the reference repository', {
  skip: !existsSync(fixtures) && `needs ${fixtures}`,
}, () => {
  const filesIn = (folder: string) => readdirSync(join(fixtures, folder)).sort()

  test('all 7 valid ones are accepted', async (t) => {
    const place = new Place(t)
    const files = filesIn('valid')
    assert.equal(files.length, 7)
    for (const file of files) {
      place.write(file, readFileSync(join(fixtures, 'valid', file), 'utf8'))
      const said = await waybill(place, ['validate', file, '--json'])
      assert.equal(said.code, 0, `${file}: ${said.out}`)
    }
  })

  test('all 11 invalid ones are refused, for the fault that their name states and no other', async (t) => {
    const place = new Place(t)
    const files = filesIn('invalid')
    assert.deepEqual(files, Object.keys(FAULTS))
    for (const file of files) {
      place.write(file, readFileSync(join(fixtures, 'invalid', file), 'utf8'))
      const said = await waybill(place, ['validate', file, '--json'])
      assert.equal(said.code, 1, file)
      const { ok, files: all } = JSON.parse(said.out) as Validated
      const errors = all.flatMap(({ issues }) => issues).filter(({ severity }) => severity === 'error')
      assert.deepEqual(
        [ok, errors.map(({ code, pointer }) => [code, pointer])],
        [false, [FAULTS[file]]],
        file,
      )
    }
  })
})
