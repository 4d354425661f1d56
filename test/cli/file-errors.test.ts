import assert from 'node:assert/strict'
import { existsSync, lstatSync, mkdirSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { machineFault } from '../../src/document/machine-fault.ts'
import { DEFINITION, Place, waybill } from './fixture.ts'

/** A home with one rehearsed run, of an agent that wants an audit log, and one folder. */
async function placeWithRun(t: TestContext): Promise<Place> {
  const { agent } = DEFINITION
  const compliance = { ...agent.compliance, audit_log: true }
  const place = new Place(t, { ...DEFINITION, agent: { ...agent, compliance } })
  mkdirSync(join(place.folder, 'folder'))
  await waybill(place, ['run', 'agent.json', '--rehearse', '--input', 'Go'])
  // A rehearsal is not evidence, so it creates no log: a grant does.
  await waybill(place, ['grants', 'allow', 'host', 'crm.example'])
  return place
}

describe('a file that cannot be read or written', () => {
  const cases: readonly [argv: readonly string[], code: string, says: RegExp][] = [
    [['runs', 'export', 'last', '-o', 'gone/run.ndjson'], 'FILE_UNWRITABLE', /ENOENT.*folder exists/],
    [['runs', 'export', 'last', '-o', 'agent.json/x'], 'FILE_UNWRITABLE', /ENOTDIR/],
    [['runs', 'export', 'last', '-o', 'folder'], 'FILE_UNWRITABLE', /EISDIR/],
    [['audit', 'export', '-o', 'gone/audit.ndjson'], 'FILE_UNWRITABLE', /ENOENT/],
    [['audit', 'verify', 'folder', '--json'], 'FILE_UNREADABLE', /folder.*audit export/],
    [['audit', 'verify', 'gone', '--json'], 'FILE_UNREADABLE', /no such file.*audit export/],
    [['runs', 'import', 'folder', '--json'], 'FILE_UNREADABLE', /folder.*runs export/],
    [['runs', 'import', 'agent.json/x', '--json'], 'FILE_UNREADABLE', /no such file/],
    [['run', 'agent.json', '--input', '@folder', '--json'], 'INPUT_UNREADABLE', /the input.*folder/],
    [['run', 'agent.json', '--rehearse', '--batch', 'folder', '--json'], 'BATCH_UNREADABLE', /the inputs/],
    [['verify', 'folder', '--json'], 'FILE_UNREADABLE', /it is a folder/],
  ]
  for (const [argv, code, says] of cases)
    test(`has its own error code and exit code 2: ${argv.join(' ')}`, async (t) => {
      const place = await placeWithRun(t)
      const said = await waybill(place, argv)
      assert.equal(said.code, 2, said.out + said.err)
      const text =
        said.out === '' ? said.err.replaceAll('\n', ' ') : JSON.stringify(JSON.parse(said.out).error)
      assert.match(text, new RegExp(code))
      assert.match(text, says)
    })

  test('a fault of the machine names the file, and does not blame the home', () => {
    for (const code of ['EACCES', 'EPERM', 'EROFS']) {
      const fault = machineFault(Object.assign(new Error(code), { code, path: '/srv/tools.json' }))
      assert.equal(fault?.message, `/srv/tools.json cannot be opened: ${code}`)
      assert.match(fault?.toJSON().hint ?? '', /permissions.*WAYBILL_HOME/)
    }
  })
})

describe('an export', () => {
  for (const argv of [
    ['runs', 'export', 'last'],
    ['audit', 'export'],
  ])
    test(`is readable only by its owner, and is written to a device directly: ${argv.join(' ')}`, async (t) => {
      const place = await placeWithRun(t)
      const file = join(place.folder, 'export.ndjson')
      assert.equal((await waybill(place, [...argv, '-o', 'export.ndjson'])).code, 0)
      assert.equal(statSync(file).mode & 0o777, 0o600)
      const device = join(place.folder, 'device')
      symlinkSync('/dev/null', device)
      const said = await waybill(place, [...argv, '-o', 'device'])
      assert.equal(said.code, 0, said.err)
      assert.ok(lstatSync(device).isSymbolicLink())
      assert.ok(!existsSync(`${device}.${process.pid}.new`))
    })
})
