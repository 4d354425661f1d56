import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { testDatabase } from '../platform/postgres.ts'
import { Place, start, until } from './fixture.ts'

/** What a server prints when it is ready: standard output, and standard error up to there. */
async function ready(t: TestContext, place: Place, argv: readonly string[], url: string) {
  const { child, out, err, ended } = start(place, [...argv, '--port', '0'], { DATABASE_URL: url })
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  t.after(stop)
  await until('the server', () => /ready/.test(out() + err()) || child.exitCode !== null)
  // The lines after the first one are written with it or right after it.
  await until(
    'its lines',
    () => /"ready"/.test(out() + err()) || /\/docs\n/.test(err()) || child.exitCode !== null,
  )
  await stop()
  return { out: out(), err: err() }
}

const LISTENING = 'http://127\\.0\\.0\\.1:\\d+'

describe('the URL that a server prints when it is ready', () => {
  test('is the one that clients can use: of the certificate, else the public one, and with --json behind a proxy where it listens', async (t) => {
    const { ownerUrl } = await testDatabase(t)
    const place = new Place(t)
    execFileSync(
      'openssl',
      [
        ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
        ...['-subj', '/CN=localhost', '-days', '2'],
        ...['-keyout', join(place.folder, 'key.pem'), '-out', join(place.folder, 'cert.pem')],
      ],
      { stdio: 'ignore' },
    )
    const publicUrl = ['--public-url', 'https://waybill.example/']
    const own = ['--public-url', 'https://localhost:4521', '--cert', 'cert.pem', '--key', 'key.pem']
    const cases: readonly (readonly [argv: readonly string[], text: string, json: string])[] = [
      [['server'], LISTENING, LISTENING],
      [['server', ...publicUrl], 'https://waybill\\.example', LISTENING],
      [['server', ...own], 'https://localhost:4521', 'https://localhost:4521'],
      [['up', ...own], 'https://localhost:4521', 'https://localhost:4521'],
    ]
    for (const [argv, text, json] of cases) {
      const said = await ready(t, place, argv, ownerUrl)
      assert.match(said.err, new RegExp(`^ready: ${text}\n  API   ${text}/docs\n`, 'm'), said.err)
      assert.equal(said.out, '')
      if (text !== LISTENING) assert.doesNotMatch(said.err, /127\.0\.0\.1/)
      const value = await ready(t, place, [...argv, '--json'], ownerUrl)
      const { ready: isReady, url } = JSON.parse(value.out)
      assert.equal(isReady, true)
      assert.match(url, new RegExp(`^${json}$`))
    }
    assert.ok(!existsSync(join(place.home, 'platform/admin-token')))
  })

  for (const url of ['waybill.example', '', 'ftp://waybill.example', 'https://', 'https://way bill'])
    test(`--public-url ${JSON.stringify(url)} is refused before the database is opened`, async (t) => {
      const place = new Place(t)
      const argv = ['server', '--port', '0', '--public-url', url, '--json']
      const { out, ended } = start(place, argv, { DATABASE_URL: 'postgres://u:p@127.0.0.1:1/d' })
      assert.equal(await ended, 2)
      const { error } = JSON.parse(out())
      assert.deepEqual([error.code, typeof error.hint], ['USAGE', 'string'])
      assert.match(error.message, /--public-url is (?:empty|not a URL)/)
    })
})
