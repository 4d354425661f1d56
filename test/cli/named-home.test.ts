import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { Place, waybill } from './fixture.ts'

describe('an empty answer names the home, so that a mistake in WAYBILL_HOME is seen', () => {
  for (const [argv, answer] of [
    [['runs', 'list'], 'no runs yet in ~/hom'],
    [['runs', 'list', '--status', 'failed'], 'no runs with status failed in ~/hom'],
    [['approvals', 'list'], 'no call waits for a decision in ~/hom'],
    [['grants', 'list'], 'no standing grants in ~/hom'],
    [['memory', 'list'], 'no memory items in ~/hom'],
    [['keys', 'list'], 'no keys yet in ~/hom'],
    [['audit', 'verify'], 'there is no audit log in ~/hom'],
    [['audit', 'export'], 'there is no audit log in ~/hom'],
  ] as const)
    test(argv.join(' '), async (t) => {
      const place = new Place(t)
      const env = { WAYBILL_HOME: join(place.folder, 'hom') }
      const { out, err } = await waybill(place, argv, { env })
      assert.ok(`${out}${err}`.includes(answer), `${out}${err}`)
      assert.equal(existsSync(env.WAYBILL_HOME), false)
    })

  test('a home that is not a folder is refused, with a hint to name a folder and no advice to change it', async (t) => {
    const place = new Place(t)
    place.write('hom', '')
    chmodSync(join(place.folder, 'hom'), 0o666)
    const env = { WAYBILL_HOME: join(place.folder, 'hom') }
    const { err, code } = await waybill(place, ['runs', 'list'], { env })
    assert.equal(code, 2)
    assert.match(
      err,
      /^error HOME_UNREADABLE .*is not a folder\n {2}hint name a folder, .*WAYBILL_HOME; .*\n$/,
    )
  })

  for (const argv of [
    ['keys', 'list'],
    ['verify', 'agent.json'],
  ])
    test(`keys that cannot be read are not an empty answer: ${argv.join(' ')}`, async (t) => {
      const place = new Place(t)
      symlinkSync('hom', join(place.folder, 'hom'))
      place.write('file', '')
      for (const [home, why] of [
        ['hom', 'its links form a loop'],
        ['file', 'it is not a folder'],
      ] as const) {
        const env = { WAYBILL_HOME: join(place.folder, home) }
        const { out, err, code } = await waybill(place, argv, { env })
        assert.deepEqual([out, code], ['', 2])
        assert.match(
          err,
          new RegExp(`^error HOME_UNREADABLE .*${why}\\n {2}hint let this user read .*WAYBILL_HOME`),
        )
      }
    })

  test('a home elsewhere is named by its whole path, without control characters', async (t) => {
    const place = new Place(t)
    const env = { WAYBILL_HOME: join(place.folder, 'a\u001b[31mb'), HOME: '/nowhere' }
    const { out } = await waybill(place, ['runs', 'list'], { env })
    assert.equal(out, `no runs yet in ${place.folder}/ab\n`)
  })

  test('the JSON of a list does not contain the home', async (t) => {
    const place = new Place(t)
    for (const [noun, member] of [
      ['runs', 'runs'],
      ['approvals', 'approvals'],
      ['grants', 'grants'],
      ['memory', 'items'],
    ] as const) {
      const { out } = await waybill(place, [noun, 'list', '--json'])
      assert.deepEqual(JSON.parse(out), { [member]: [] })
    }
  })
})

describe('HOME_EXPOSED', { skip: process.platform === 'win32' && 'needs modes of files' }, () => {
  const COMMANDS = [
    ['runs', 'list'],
    ['grants', 'list', '--json'],
    ['keys', 'list'],
    ['keys', 'new', 'desk'],
    ['verify', 'agent.json'],
  ] as const
  for (const [mode, warns] of [
    [0o777, true],
    [0o1777, true],
    [0o722, true],
    [0o755, false],
    [0o700, false],
  ] as const)
    test(`a home of mode ${mode.toString(8)} ${warns ? 'gives a warning with the remedy' : 'gives none'}`, async (t) => {
      for (const argv of COMMANDS) {
        const place = new Place(t)
        mkdirSync(place.home)
        chmodSync(place.home, mode)
        const { err } = await waybill(place, argv)
        assert.equal(err.split('HOME_EXPOSED').length - 1, warns ? 1 : 0, `${argv.join(' ')}: ${err}`)
        if (warns) assert.ok(err.includes(`chmod 700 ${place.home}`), err)
      }
    })

  test('a home that is missing gives none, and is created for its owner only', async (t) => {
    const place = new Place(t)
    assert.doesNotMatch((await waybill(place, ['keys', 'new', 'desk'])).err, /HOME_EXPOSED/)
    assert.doesNotMatch((await waybill(place, ['keys', 'list'])).err, /HOME_EXPOSED/)
  })
})
