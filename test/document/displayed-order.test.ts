import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { displayedOrder } from '../../src/document/displayed-order.ts'

describe('UAX #9: the order in which characters are displayed', () => {
  for (const [text, shown] of [
    ['It is \u202enoclaF tcejorP\u202c.', 'It is Project Falcon.'],
    ['\u202etcejorP\u202c Falcon', 'Project Falcon'],
    ['\u202elaF\u202c\u202enoc\u202c', 'conFal'],
    ['\u2067Falcon \u2066Project\u2069\u2069', 'Project Falcon'],
    ['\u2067\u2066Falcon\u2069 \u2066Project\u2069\u2069', 'Project Falcon'],
    ['\u202bא Falcon\u202c', 'Falcon א'],
    ['\u202d\u05d2\u05d1\u05d0\u202c', '\u05d2\u05d1\u05d0'],
    ['abc \u05d0\u05d1\u05d2 def', 'abc \u05d2\u05d1\u05d0 def'],
    ['\u05d0\u05d1 12 \u05d2', '\u05d2 12 \u05d1\u05d0'],
    ['\u202eab\ncd', 'ba\ncd'],
    ['plain', 'plain'],
    ['\u202c\u2069x', 'x'],
  ] as const)
    test(JSON.stringify(text), () => assert.equal(displayedOrder(text).text, shown))

  test('each character of a part that is turned is mapped to the whole part', () => {
    const { text, start, end } = displayedOrder('a \u202ecb\u202c d')
    assert.equal(text, 'a bc d')
    assert.deepEqual([start(0), end(0)], [0, 1])
    assert.deepEqual([start(2), end(2), start(3), end(3)], [3, 5, 3, 5])
    assert.deepEqual([start(5), end(5)], [7, 8])
  })
})
