import assert from 'node:assert/strict'
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { startProcess } from '../started-process.ts'
import { Place, waybill } from './fixture.ts'

// Each start waits for signals.
process.setMaxListeners(200)

const PASSWORD = 'tiger-violin-83-meadow-copper'
/** No database is there: a process that has read everything reports DATABASE_UNREACHABLE. */
const URL_THERE = `postgres://waybill:${PASSWORD}@127.0.0.1:1/waybill`
const API_KEY = 'marble-otter-29-walnut-ribbon'
const COMMANDS = [['server', '--port', '0'], ['worker'], ['up', '--port', '0'], ['token', 'new', 'first']]

interface Outcome {
  readonly code: number
  readonly error: {
    readonly code: string
    readonly file?: string
    readonly line?: number
    readonly hint: string
  }
}

/** Runs a command, and asserts that its error has a code and a hint and shows no secret. */
async function outcome(place: Place, ...argv: readonly string[]): Promise<Outcome> {
  const { code, out, err } = await waybill(place, [...argv, '--json'])
  const { error } = JSON.parse(out)
  assert.ok(error.hint, `${argv.join(' ')}: ${out} ${err}`)
  for (const secret of [PASSWORD, API_KEY]) assert.ok(!`${out}${err}`.includes(secret), out)
  assert.notEqual(error.code, 'INTERNAL', out)
  return { code, error }
}

function withFile(t: TestContext, content?: string | Buffer): Place {
  const place = new Place(t)
  place.env.WAYBILL_ENV_FILE = 'waybill.env'
  if (content !== undefined) writeFileSync(join(place.folder, 'waybill.env'), content)
  return place
}

describe('WAYBILL_ENV_FILE', () => {
  const GOOD: Readonly<Record<string, string | Buffer>> = {
    'a line': `DATABASE_URL=${URL_THERE}\n`,
    'no line end': `DATABASE_URL=${URL_THERE}`,
    'line ends of Windows': `# the database\r\nDATABASE_URL=${URL_THERE}\r\nOPENAI_API_KEY=${API_KEY}\r\n`,
    'line ends of an old Mac': `DATABASE_URL=${URL_THERE}\rOPENAI_API_KEY=${API_KEY}\r`,
    'a byte order mark': `\uFEFFDATABASE_URL=${URL_THERE}\n`,
    quotes: `DATABASE_URL="${URL_THERE}"\nOPENAI_API_KEY='${API_KEY}'\n`,
    'export, spaces and a comment': `\n export DATABASE_URL = ${URL_THERE} # of production\n`,
    'a value of several lines': `A="first\nsecond ${API_KEY}\n"\nDATABASE_URL=${URL_THERE}\n`,
  }
  for (const [what, content] of Object.entries(GOOD))
    test(`is read with ${what}`, async (t) => {
      const place = withFile(t, content)
      for (const command of COMMANDS) {
        const { code, error } = await outcome(place, ...command)
        assert.deepEqual([code, error.code], [3, 'DATABASE_UNREACHABLE'], command.join(' '))
      }
    })

  const WRONG: readonly (readonly [
    what: string,
    content: string | Buffer | undefined,
    code: string,
    line?: number,
  ])[] = [
    ['there is no such file', undefined, 'ENV_FILE_UNREADABLE'],
    ['it is empty', '', 'ENV_FILE_INVALID'],
    ['it contains only blank lines and comments', '\uFEFF\n# DATABASE_URL=\n', 'ENV_FILE_INVALID'],
    ['it is a bare value', `${URL_THERE}\n`, 'ENV_FILE_INVALID', 1],
    ['one line is a bare value', `DATABASE_URL=${URL_THERE}\n${API_KEY}\n`, 'ENV_FILE_INVALID', 2],
    ['it is YAML', `DATABASE_URL: ${URL_THERE}\n`, 'ENV_FILE_INVALID', 1],
    ['the URL has no value', 'DATABASE_URL=\n', 'ENV_FILE_INVALID'],
    ['a role has no value', `DATABASE_URL=${URL_THERE}\nWAYBILL_APP_DATABASE_URL=\n`, 'ENV_FILE_INVALID'],
    ['a # would cut the value', `OPENAI_API_KEY=${API_KEY}#2\n`, 'ENV_FILE_INVALID', 1],
    [
      'a # would cut the password',
      `A=b\nDATABASE_URL=postgres://u:${PASSWORD}#1@h/d\n`,
      'ENV_FILE_INVALID',
      2,
    ],
    ['it is binary', Buffer.from([0x41, 0x3d, 0xff, 0xc3]), 'ENCODING_NOT_UTF8', 1],
    ['it is UTF-16', Buffer.from(`\uFEFFDATABASE_URL=${URL_THERE}\n`, 'utf16le'), 'ENCODING_NOT_UTF8', 1],
    ['the URL is of another database', `DATABASE_URL=mysql://u:${PASSWORD}@h/d\n`, 'USAGE'],
    ['the password is not encoded', `DATABASE_URL="postgres://u:${PASSWORD}/#@h/d"\n`, 'USAGE'],
    [
      'the URL of a role is none',
      `DATABASE_URL=${URL_THERE}\nWAYBILL_ENGINE_DATABASE_URL=${PASSWORD}\n`,
      'USAGE',
    ],
  ]
  for (const [what, content, code, line] of WRONG)
    test(`is refused with ${code} if ${what}`, async (t) => {
      const place = withFile(t, content)
      for (const command of COMMANDS) {
        const { code: exit, error } = await outcome(place, ...command)
        assert.deepEqual([exit, error.code, error.line], [2, code, line], command.join(' '))
        if (code !== 'USAGE') assert.equal(error.file, join(place.folder, 'waybill.env'))
      }
    })

  test('a folder in its place: the hint says where it came from', async (t) => {
    const place = withFile(t)
    mkdirSync(join(place.folder, 'waybill.env'))
    for (const command of COMMANDS) {
      const { code, error } = await outcome(place, ...command)
      assert.deepEqual([code, error.code], [2, 'ENV_FILE_UNREADABLE'])
      assert.match(error.hint, /Docker mounts a new folder in the place of a file that does not exist/)
    }
  })

  test('variables of the process take precedence', async (t) => {
    const place = withFile(t, 'DATABASE_URL=mysql://elsewhere\n')
    place.env.DATABASE_URL = URL_THERE
    assert.equal((await outcome(place, 'worker')).error.code, 'DATABASE_UNREACHABLE')
  })

  test('the keys in it are those of a run and of doctor', async (t) => {
    const place = withFile(t, `OPENAI_API_KEY=${API_KEY}\nDATABASE_URL=${URL_THERE}\n`)
    const planned = async () => {
      const argv = ['plan', 'agent.json', '--tools', 'tools.mjs', '--model', 'openai/gpt-4o-mini', '--json']
      return JSON.parse((await waybill(place, argv)).out).ok
    }
    assert.equal(await planned(), true)
    const { checks } = JSON.parse((await waybill(place, ['doctor', '--port', '0', '--json'])).out)
    const providers = checks.find(({ check }: { check: string }) => check === 'providers')
    assert.equal(providers.detail, 'keys are set: OPENAI_API_KEY')
    delete place.env.WAYBILL_ENV_FILE
    assert.equal(await planned(), false)
  })

  test('its values are in no log of the server', async (t) => {
    const place = withFile(
      t,
      `DATABASE_URL=postgres://${PASSWORD}:${API_KEY}@127.0.0.1:1/d\nX_PASSWORD=${PASSWORD}\n`,
    )
    place.write('config.yaml', `${PASSWORD}: [`)
    for (const log of ['text', 'json']) {
      const { code, out, err } = await waybill(place, ['worker', '--config', 'config.yaml', '--log', log])
      assert.equal(code, 2)
      assert.match(err, /CONFIG_INVALID/)
      for (const secret of [PASSWORD, API_KEY]) assert.ok(!`${out}${err}`.includes(secret), err)
    }
  })
})

describe('a database URL in a variable that was made from a file', () => {
  for (const end of ['\n', '\r\n', ' \n\n', ''])
    for (const start of ['', '\uFEFF'])
      for (const name of ['DATABASE_URL', 'WAYBILL_APP_DATABASE_URL', 'WAYBILL_ENGINE_DATABASE_URL'])
        test(`${name} is used with ${JSON.stringify(start)} before and ${JSON.stringify(end)} after it`, async (t) => {
          const place = new Place(t)
          Object.assign(place.env, { DATABASE_URL: URL_THERE, [name]: `${start}${URL_THERE}${end}` })
          assert.equal((await outcome(place, 'worker')).error.code, 'DATABASE_UNREACHABLE')
        })

  for (const [what, url] of [
    ['two lines', `${URL_THERE}\n${URL_THERE}`],
    ['a line end within the password', `postgres://u:${PASSWORD}\n@h/d`],
    ['a space within', `postgres://u:${PASSWORD} @h/d`],
  ])
    test(`is refused with ${what}`, async (t) => {
      const place = new Place(t)
      for (const name of ['DATABASE_URL', 'WAYBILL_APP_DATABASE_URL', 'WAYBILL_ENGINE_DATABASE_URL']) {
        Object.assign(place.env, { DATABASE_URL: URL_THERE, [name]: url })
        const { code, error } = await outcome(place, 'worker')
        assert.deepEqual([code, error.code], [2, 'USAGE'], name)
      }
    })
})

describe('files of another owner', () => {
  /** A user who is not root and not the owner; without root, the owner has no right either. */
  const isRoot = process.getuid?.() === 0
  const own = isRoot ? { uid: 10001, gid: 10001 } : { uid: process.getuid?.(), gid: process.getgid?.() }

  /** Runs a command as another user, in a folder that this user may enter, like a mounted file. */
  async function asOther(place: Place, argv: readonly string[]): Promise<Outcome> {
    chmodSync(place.folder, 0o755)
    mkdirSync(place.home, { mode: 0o700, recursive: true })
    if (isRoot) chownSync(place.home, 10001, 10001)
    const { out, err, ended } = startProcess([...argv, '--json'], {
      cwd: place.folder,
      env: { ...place.env, NODE_COMPILE_CACHE: place.home },
      ...(isRoot && own),
    })
    const code = Number(await ended)
    for (const secret of [PASSWORD, API_KEY]) assert.ok(!`${out()}${err()}`.includes(secret), out())
    return { code, error: JSON.parse(out() || `{"error":${JSON.stringify(err())}}`).error }
  }

  const mode = isRoot ? 0o600 : 0o000
  const files: Readonly<Record<string, { name: string; argv: readonly string[]; code: string }>> = {
    'the variables': { name: 'waybill.env', argv: ['worker'], code: 'ENV_FILE_UNREADABLE' },
    'the configuration': {
      name: 'config.yaml',
      argv: ['worker', '--config', 'config.yaml'],
      code: 'CONFIG_UNREADABLE',
    },
    'the private key of TLS': {
      name: 'key.pem',
      argv: ['server', '--port', '0', '--cert', 'cert.pem', '--key', 'key.pem'],
      code: 'FILE_UNREADABLE',
    },
    'the certificate of TLS': {
      name: 'cert.pem',
      argv: ['server', '--port', '0', '--cert', 'cert.pem', '--key', 'key.pem'],
      code: 'FILE_UNREADABLE',
    },
  }
  for (const [what, { name, argv, code }] of Object.entries(files))
    test(`${what}: the error names the user, the owner and the commands`, async (t) => {
      const place = withFile(t, `DATABASE_URL=${URL_THERE}\n`)
      for (const file of ['config.yaml', 'key.pem', 'cert.pem']) place.write(file, '')
      chmodSync(join(place.folder, name), mode)
      const refused = await asOther(place, argv)
      assert.deepEqual([refused.code, refused.error.code], [2, code], JSON.stringify(refused))
      assert.match(refused.error.file ?? '', new RegExp(`${name}$`))
      const at = `this process is user ${own.uid} and group ${own.gid}, and the file has user ${process.getuid?.()} and group ${process.getgid?.()}, mode ${isRoot ? '0600' : '0000'}`
      assert.ok(refused.error.hint.startsWith(at), refused.error.hint)
      assert.ok(refused.error.hint.includes(`chgrp ${own.gid} FILE && chmod 640 FILE`))
    })
})
