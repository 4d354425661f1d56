import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { shortRunId, shortRunIds, shortRunIdsAmong } from '../../src/session/short-run-id.ts'

/** Records with these ids, which find as a store does, and count the queries. */
function records(...ids: string[]) {
  const queries: string[] = []
  const find = (part: string, limit: number) => {
    queries.push(part)
    return ids.filter((id) => id.startsWith(part) || id.endsWith(part)).slice(0, limit)
  }
  return { runs: { find }, queries }
}

const ONE = '01a20e27-06c1-7049-9d32-69773a086f4e'
const ALIKE = '01a20e28-06c1-7049-9d32-69773b086f4e'
const OTHER = '01a20e29-06c1-7049-9d32-000000000000'

describe('the short form of a run id', () => {
  test('is its last 6 characters', async () => {
    assert.equal(await shortRunId(records(ONE, OTHER), ONE), '086f4e')
    assert.equal((await shortRunIds(records(ONE, OTHER), [ONE]))(ONE), '086f4e')
  })

  test('has as many characters as make it unique', async () => {
    assert.equal(await shortRunId(records(ONE, ALIKE), ONE), 'a086f4e')
    const short = await shortRunIds(records(ONE, ALIKE), [ONE, ALIKE])
    assert.deepEqual([short(ONE), short(ALIKE)], ['a086f4e', 'b086f4e'])
  })

  test('is not the beginning of another id', async () => {
    const begins = `086f4e00-${OTHER.slice(9)}`
    assert.equal(await shortRunId(records(ONE, begins), ONE), 'a086f4e')
    assert.equal((await shortRunIds(records(ONE, begins), [ONE]))(ONE), 'a086f4e')
  })

  test('does not begin with a hyphen, which would be an option', async () => {
    const same = '01a20e28-06c1-7049-9d33-69773a086f4e'
    assert.equal(await shortRunId(records(ONE, same), ONE), '2-69773a086f4e')
    assert.equal((await shortRunIds(records(ONE, same), [ONE]))(ONE), '2-69773a086f4e')
  })

  test('is the whole id if that is short, or if no ending is unique', async () => {
    assert.equal(await shortRunId(records('a', 'b'), 'a'), 'a')
    assert.equal(await shortRunId(records('abcdef'), 'abcdef'), 'abcdef')
    assert.equal(await shortRunId(records('abcdefg', 'xabcdefg'), 'abcdefg'), 'abcdefg')
  })

  test('of a run that is not recorded yet is unique among the recorded runs', async () => {
    assert.equal(await shortRunId(records(ALIKE), ONE), 'a086f4e')
  })

  test('of many ids needs one query, of a few one for each, and of none none', async () => {
    const THIRD = '01a20e2a-06c1-7049-9d32-000000000001'
    const FOURTH = '01a20e2b-06c1-7049-9d32-00000c086f4e'
    const some = records(ONE, ALIKE, OTHER, THIRD, FOURTH)
    const many = await shortRunIds(some, [ONE, OTHER, THIRD, FOURTH])
    assert.deepEqual(some.queries.splice(0), [''])
    assert.deepEqual([ONE, THIRD, FOURTH].map(many), ['a086f4e', '000001', 'c086f4e'])
    const few = await shortRunIds(some, [OTHER, THIRD, OTHER])
    assert.deepEqual(some.queries.splice(0), ['000000', '000001'])
    assert.deepEqual([OTHER, THIRD, ONE].map(few), ['000000', '000001', ONE])
    await shortRunIds(some, [])
    assert.deepEqual(some.queries, [])
  })

  test('may need more characters than 6', () => {
    assert.equal(shortRunIdsAmong([ONE], 8)(ONE), '3a086f4e')
    assert.equal(shortRunIdsAmong([ONE, ALIKE], 8)(ONE), '3a086f4e')
  })
})
