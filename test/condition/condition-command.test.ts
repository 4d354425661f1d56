import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Place, waybill } from '../cli/fixture.ts'

const EVENT = '{"action": "opened", "n": 3, "none": []}'

describe('waybill condition', () => {
  const cases: readonly [argv: readonly string[], outcome: string, code: number, reason?: RegExp][] = [
    [['cel', "action == 'opened'"], 'true', 0],
    [['cel', 'n > 5.0'], 'false', 1],
    [['cel', 'absent'], 'unevaluable', 1, /the payload has no absent/],
    [
      ['cel', 'n > '],
      'unevaluable',
      1,
      /^this is not cel: the operand after ">" is missing \(at its end\)\n$/,
    ],
    [['jsonpath', '$.none'], 'true', 0],
    [['jmespath', 'none'], 'false', 1],
    [['jsonlogic', '{">": [{"var": "n"}, 2]}'], 'true', 0],
    [['jsonlogic', '[1]'], 'unevaluable', 1, /rule object/],
    [['always'], 'true', 0],
    [['never'], 'false', 1],
  ]
  for (const [argv, outcome, code, reason] of cases) {
    test(`${argv.join(' ')}: ${outcome}, exit ${code}, as text and as JSON`, async (t) => {
      const place = new Place(t)
      place.write('event.json', EVENT)
      const command = ['condition', ...argv, '--payload', 'event.json']
      const said = await waybill(place, command)
      assert.deepEqual([said.out, said.code], [`${outcome}\n`, code])
      assert.match(said.err, reason ?? /^$/)
      const json = await waybill(place, [...command, '--json'])
      const value = JSON.parse(json.out) as { outcome: string; reason?: string }
      assert.deepEqual([value.outcome, json.code, json.err], [outcome, code, ''])
      assert.equal(value.reason !== undefined, outcome === 'unevaluable')
    })
  }

  test('a payload in YAML, or no payload for always and never', async (t) => {
    const place = new Place(t)
    place.write('event.yaml', 'action: opened\n')
    assert.equal(
      (await waybill(place, ['condition', 'jsonpath', '$.action', '--payload', 'event.yaml'])).code,
      0,
    )
    assert.equal((await waybill(place, ['condition', 'always'])).out, 'true\n')
  })

  const misuse: readonly [why: string, argv: readonly string[], says: RegExp][] = [
    ['an unknown language', ['regex', 'x', '--payload', 'event.json'], /jsonpath, jmespath, cel/],
    ['no expression', ['cel', '--payload', 'event.json'], /needs an expression/],
    ['no payload', ['cel', 'true'], /no payload/],
    ['a payload that is not there', ['cel', 'true', '--payload', 'gone.json'], /no such file/],
    ['a payload that is not JSON', ['cel', 'true', '--payload', 'broken.json'], /broken\.json/],
    ['a rule that is not JSON', ['jsonlogic', '{var: n}', '--payload', 'event.json'], /not valid JSON/],
  ]
  for (const [why, argv, says] of misuse) {
    test(`${why}: exit 2`, async (t) => {
      const place = new Place(t)
      place.write('event.json', EVENT)
      place.write('broken.json', '{"a": ')
      const said = await waybill(place, ['condition', ...argv])
      assert.deepEqual([said.code, said.out], [2, ''])
      assert.match(said.err, says)
      const json = await waybill(place, ['condition', ...argv, '--json'])
      assert.equal(json.code, 2)
      assert.equal(typeof JSON.parse(json.out).error.message, 'string')
    })
  }
})
