import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { Place, waybill } from './fixture.ts'

// Each start waits for signals.
process.setMaxListeners(200)

/** No database is there, so a file that is checked too late is reported as DATABASE_UNREACHABLE. */
const NO_DATABASE = ['--database-url', 'postgres://u:p@127.0.0.1:1/d']

/** A folder with a certificate and its key, another key, and files of other kinds. */
function site(t: TestContext): Place {
  const place = new Place(t)
  const made = (name: string) =>
    execFileSync(
      'openssl',
      [
        ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
        ...['-subj', '/CN=localhost', '-days', '2'],
        ...['-keyout', join(place.folder, `${name}-key.pem`), '-out', join(place.folder, `${name}.pem`)],
      ],
      { stdio: 'ignore' },
    )
  made('own')
  made('other')
  mkdirSync(join(place.folder, 'folder'))
  place.write('empty', '')
  place.write('text', 'hello\n')
  writeFileSync(join(place.folder, 'binary'), Buffer.concat([Buffer.from([0xff]), randomBytes(500)]))
  return place
}

async function codeOf(place: Place, ...argv: readonly string[]) {
  const { code, out, err } = await waybill(place, [...argv, '--json'])
  const { error } = JSON.parse(out)
  assert.ok(error.hint, `${argv.join(' ')}: ${JSON.stringify(error)} ${err}`)
  assert.doesNotMatch(`${error.message} ${error.hint}`, /bug in Waybill|PEM routines::no start line$/)
  return [code, error.code]
}

describe('the files of --cert and --key', () => {
  const wrong: readonly (readonly [what: string, cert: string, key: string, code: string])[] = [
    ['a missing certificate', 'nosuch.pem', 'own-key.pem', 'FILE_UNREADABLE'],
    ['a missing key', 'own.pem', 'nosuch.pem', 'FILE_UNREADABLE'],
    ['swapped', 'own-key.pem', 'own.pem', 'CERTIFICATE_UNUSABLE'],
    ['an empty certificate', 'empty', 'own-key.pem', 'CERTIFICATE_UNUSABLE'],
    ['an empty key', 'own.pem', 'empty', 'CERTIFICATE_UNUSABLE'],
    ['a folder', 'folder', 'own-key.pem', 'FILE_UNREADABLE'],
    ['a folder as key', 'own.pem', 'folder', 'FILE_UNREADABLE'],
    ['another text', 'text', 'own-key.pem', 'CERTIFICATE_UNUSABLE'],
    ['a binary file', 'binary', 'own-key.pem', 'ENCODING_NOT_UTF8'],
    ['the key of another certificate', 'own.pem', 'other-key.pem', 'CERTIFICATE_UNUSABLE'],
    ['the certificate twice', 'own.pem', 'own.pem', 'CERTIFICATE_UNUSABLE'],
  ]
  test('are checked before the database is opened; what is wrong with them has a code', async (t) => {
    const place = site(t)
    for (const command of ['server', 'up'])
      for (const [what, cert, key, code] of wrong)
        assert.deepEqual(
          await codeOf(place, command, ...NO_DATABASE, '--cert', cert, '--key', key),
          [2, code],
          `${command}: ${what}`,
        )
    for (const name of ['own', 'other'])
      assert.deepEqual(
        await codeOf(place, 'server', ...NO_DATABASE, '--cert', `${name}.pem`, '--key', `${name}-key.pem`),
        [3, 'DATABASE_UNREACHABLE'],
      )
    assert.ok(!existsSync(join(place.home, 'platform')))
  })
})

describe('the files that a configuration names', () => {
  test('are checked before the database is opened', async (t) => {
    const place = site(t)
    for (const file of ['nosuch.pem', 'folder', 'empty', 'text', 'binary', 'own-key.pem'])
      for (const command of ['server', 'up', 'worker']) {
        place.write('config.yaml', `ca_files: [${join(place.folder, file)}]\n`)
        const [code, name] = await codeOf(place, command, ...NO_DATABASE, '--config', 'config.yaml')
        assert.deepEqual([code, name], [2, 'CONFIG_INVALID'], `${command}: ${file}`)
      }
    for (const tools of ['nosuch.mjs', 'folder', 'empty', 'text', 'binary']) {
      const [code, name] = await codeOf(place, 'worker', ...NO_DATABASE, '--tools', tools)
      assert.notEqual(name, 'INTERNAL', tools)
      assert.notEqual(name, 'DATABASE_UNREACHABLE', tools)
      assert.ok(code === 2 || code === 1 || code === 3)
    }
    for (const config of ['nosuch.yaml', 'folder', 'text', 'binary']) {
      const [code, name] = await codeOf(place, 'worker', ...NO_DATABASE, '--config', config)
      assert.equal(code, 2, `${config}: ${name}`)
      assert.match(String(name), /^CONFIG_|^FILE_|^ENCODING_/, config)
    }
  })
})
