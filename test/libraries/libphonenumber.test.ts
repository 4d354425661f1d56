import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** What `src/policy/pii/find-phone.ts` relies on: digits and a region in, a number in E.164 out. */
describe('libphonenumber-js/min', () => {
  const parse = (text: string, region?: CountryCode) => parsePhoneNumberFromString(text, region)

  test('a number of a region has its form for everywhere', () => {
    for (const [text, region, number] of [
      ['030901820', 'DE', '+4930901820'],
      ['2025550123', 'US', '+12025550123'],
      ['02079460018', 'GB', '+442079460018'],
      ['0612345678', 'NL', '+31612345678'],
    ] as const) {
      const parsed = parse(text, region)
      assert.deepEqual([parsed?.number, parsed?.isValid()], [number, true], text)
    }
  })

  test('a number with its country needs no region', () => {
    assert.equal(parse('+4930901820')?.number, '+4930901820')
    assert.equal(parse('4930901820'), undefined)
  })

  test('a number of the right length that is not given out is possible, and not valid', () => {
    const parsed = parse('+12001234567')
    assert.deepEqual([parsed?.isPossible(), parsed?.isValid()], [true, false])
  })

  test('what is too short or too long is undefined or impossible, and never throws', () => {
    for (const digits of ['', '1', '12', '1'.repeat(40), '+', '+0', '+999123']) {
      for (const region of [undefined, 'DE', 'US'] as const) {
        assert.notEqual(parse(digits, region)?.isPossible(), true, `${digits} ${region}`)
      }
    }
  })
})
