import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { Place, waybill } from './fixture.ts'

/** ESC and the one-character CSI start a control sequence; a bidirectional override reorders what follows. */
const NAME = 'a\u001b[31m\u009b2J\u202eb'
/** Control characters but the line feed, and overrides of the text direction. */
const UNSAFE = /(?!\n)[\p{Cc}\u202a-\u202e\u2066-\u2069]/u

/** A folder with one own key, one trusted key and one document, whose names contain control characters. */
async function hostileNames(t: TestContext): Promise<Place> {
  const place = new Place(t)
  place.write(`${NAME}.json`, '{"sc_standard": "SC-006", "agent": {"name": "Clerk", "goal": "Send it."}}')
  await waybill(place, ['keys', 'new', 'alice'])
  const { out } = await waybill(place, ['keys', 'export', 'alice', '--json'])
  mkdirSync(join(place.home, 'trust'), { recursive: true })
  const { key } = JSON.parse(out) as { key: string }
  place.write(`home/trust/${NAME}.json`, JSON.stringify({ public_key: key }))
  return place
}

const FILE = `${NAME}.json`
const SIGN = ['sign', FILE, '--key', 'alice']
const COMMANDS: readonly (readonly string[])[] = [
  ['keys', 'list'],
  [...SIGN, '--detached'],
  [...SIGN, '-o', `${NAME}-signed.json`],
  ['verify', FILE],
  ['validate', FILE],
  ['transcode', FILE, '-o', `no-folder/${NAME}.cbor`],
  ['canonicalize', `no ${NAME}`],
  ['keys', 'revoke', NAME, '--reason', NAME],
  ['verify', FILE, `--${NAME}`],
]

describe('control characters in the names of files and keys', () => {
  for (const argv of COMMANDS) {
    const label = argv.map((part) => (part.includes(NAME) ? 'NAME' : part)).join(' ')
    test(`${label}: are removed from the text output`, async (t) => {
      const { out, err } = await waybill(await hostileNames(t), argv)
      assert.notEqual(out + err, '')
      assert.doesNotMatch(out + err, UNSAFE)
    })

    test(`${label}: are escaped in the JSON output, which parses to the same value`, async (t) => {
      const { out } = await waybill(await hostileNames(t), [...argv, '--json'])
      assert.doesNotMatch(out, UNSAFE)
      assert.ok(JSON.stringify(JSON.parse(out)).includes(JSON.stringify(NAME).slice(1, -1)))
    })
  }
})
