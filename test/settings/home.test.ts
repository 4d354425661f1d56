import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { homePath, makeHome } from '../../src/settings/home.ts'

describe('the home', () => {
  for (const [value, path] of [
    ['/srv/waybill', '/srv/waybill'],
    ['', join(homedir(), '.waybill')],
    [undefined, join(homedir(), '.waybill')],
  ] as const)
    test(`WAYBILL_HOME=${value ?? '(not set)'}`, () => assert.equal(homePath({ WAYBILL_HOME: value }), path))

  test('is created with mode 0700, with its parents; an existing one is kept', (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'waybill-home-'))
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const home = join(folder, 'a/b')
    assert.equal(makeHome(home), home)
    assert.equal(statSync(home).mode & 0o777, 0o700)
    assert.equal(makeHome(home), home)
  })
})
