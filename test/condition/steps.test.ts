import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { viewPayload } from '../../src/condition/payload-view.ts'
import { readCondition } from '../../src/condition/read-condition.ts'
import { CountingBudget } from './counting-budget.ts'

const payload = {
  list: [1, 2, 3, 4],
  names: ['b', 'a', 'c'],
  objects: [
    { id: 1, k: 'x' },
    { id: 2, k: 'y' },
  ],
  text: 'abcdefgh'.repeat(8),
  short: 'abc',
  map: { a: 1, b: [1, 2] },
  nested: [[1, 2], [3]],
  spaces: '  x  ',
}

/** Steps that one evaluation over the payload takes. 32 characters are one step, so fractions are exact. */
const STEPS: Readonly<Record<string, readonly (readonly [expr: string | object, steps: number])[]>> = {
  jsonpath: [
    ['$', 0],
    ['$.list', 4],
    ['$.list[0]', 8.5],
    ['$.list[*]', 24.5],
    ['$..id', 57.5],
    ['$.list[?@ > 2]', 40.5],
    ['$.list[?@ == 3 && @ > 1]', 76.5],
    ['$.objects[?@.k == "y"]', 32.625],
    ['$.objects[?!@.z]', 26.5],
    ['$.objects[?(@.id == 2)]', 32.5],
    ['$[?length(@) == 64]', 102.25],
    ['$.list[?count($.list[*]) == 9]', 154.5],
    ["$[?match(@, 'ab.')]", 319.25],
    ["$[?search(@, 'c')]", 200.5],
    ['$.map.*', 16.5],
    ['$.map[?@ == $.list]', 48.5],
    ['$.list[0:2]', 24.5],
    ['$.nested[*][*]', 29.5],
    ['$.short[*]', 8.5],
  ],
  jmespath: [
    ['list', 1],
    ['list[0]', 3],
    ['list[1:]', 11],
    ['text[1:]', 69],
    ['map[1:]', 5],
    ['nested[]', 11],
    ['list[]', 15],
    ['map[]', 3],
    ['list == nested', 10],
    ["text == 'abc'", 6.09375],
    ['list[?@ > `2`]', 28],
    ["contains(text, 'gha')", 8.09375],
    ['contains(list, `3`)', 11],
    ['contains(nested, `[3]`)', 10],
    ['contains(text, `1`)', 5],
    ["find_first(text, 'h')", 6.03125],
    ["find_last(text, 'h')", 6.03125],
    ["split(text, 'h')", 6.03125],
    ['group_by(objects, &k)', 12],
    ["join('--', names)", 6.5625],
    ['max(list)', 6],
    ['min(names)', 5.03125],
    ['max_by(objects, &id)', 10],
    ['min_by(objects, &k)', 10],
    ['pad_left(short, `64`)', 7.09375],
    ['pad_right(short, `64`)', 7.09375],
    ["replace(text, 'a', 'zz')", 11.90625],
    ["replace(text, 'a', 'zz', `1`)", 12.1875],
    ['reverse(text)', 14],
    ['reverse(list)', 6],
    ['sort(list)', 22],
    ['sort(names)', 17],
    ['to_string(map)', 9.53125],
    ['trim(spaces)', 2.1875],
    ['let $a = list in $a', 54],
    ['keys(map)', 4],
    ['length(map)', 4],
    ['sort_by(objects, &id)', 11],
    ['map(&id, objects)', 10],
    ['merge(map, map)', 7],
  ],
  cel: [
    ['true', 0],
    ['list == list', 6],
    ['list != nested', 6],
    ['size(text) == 64', 21],
    ['size(list) == 4', 3],
    ['text.contains("gha")', 6.09375],
    ['text.startsWith("ab")', 5.0625],
    ['text.endsWith("gh")', 5.0625],
    ['text.matches("a.c")', 143.09375],
    ['1.0 in list', 5],
    ['"a" in map', 1.03125],
    ['[3.0] in nested', 5],
    ['list + list == list', 15],
    ['text + text == text', 15],
    ['int("12") == 12', 3.125],
    ['uint("12") == 12u', 3.125],
    ['list.all(x, x > 0.0)', 79],
    ['list.exists(x, x == 4.0)', 95],
    ['list.map(x, x + 1.0) == list', 85],
    ['list.filter(x, x > 2.0) == list', 107],
    ['map.all(k, k != "")', 42.0625],
    ['list.exists_one(x, x == 1.0)', 102],
    ['size(b"abc") == 3', 3.09375],
    ['{"a": 1}.a == 1', 2],
    ['map.a == 1.0', 2],
    ['short == "abc" ? true : false', 2.28125],
    ['list.all(a, nested.exists(b, true))', 243],
  ],
  jsonlogic: [
    [{ var: 'list' }, 1.5],
    [{ in: [3, { var: 'list' }] }, 5.75],
    [{ in: ['gha', { var: 'text' }] }, 7.25],
    [{ cat: [{ var: 'text' }, 'abc'] }, 6.34375],
    [{ merge: [{ var: 'list' }, [1, 2], 3] }, 16],
    [{ map: [{ var: 'list' }, { '+': [{ var: '' }, 1] }] }, 20],
    [{ all: [{ var: 'list' }, { '>': [{ var: '' }, 0] }] }, 10.5],
    [{ missing: ['a', 'b'] }, 4.5],
    [{ if: [true, 1, 2] }, 1],
  ],
}

describe('AAIF-5-13: what an evaluation costs is counted', () => {
  for (const [lang, table] of Object.entries(STEPS)) {
    for (const [expr, steps] of table) {
      test(`${lang} ${JSON.stringify(expr)} takes ${steps} steps each time`, () => {
        const { predicate } = readCondition({ lang, expr })
        assert.ok(predicate !== undefined)
        for (let time = 0; time < 2; time += 1) {
          const budget = new CountingBudget()
          predicate(viewPayload(payload), budget)
          assert.equal(budget.spent, steps)
        }
      })
    }
  }
})
