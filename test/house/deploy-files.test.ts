import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { parse } from 'yaml'
import { CODE_AREAS } from '../../src/document/codes.ts'
import { BIN } from '../started-process.ts'

/**
 * What a person gets who follows the guide for Compose word by word, without Docker: the commands of the guide write the
 * files, the service `files` prepares them, and the processes read them as the users of their images.
 */

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
// biome-ignore lint/suspicious/noExplicitAny: the tests read members of any object of Compose
type Any = any
const compose: Any = parse(read('deploy/compose.yaml'), { merge: true })
const local: Any = parse(read('deploy/compose.local.yaml'), { merge: true })
const guide = read('docs/guides/production.md')

/** Only root can play the users of the images; without root, the same files are read by their owner. */
const isRoot = process.getuid?.() === 0
const GROUP = isRoot ? 10001 : (process.getgid?.() ?? 0)

/** A copy of `deploy/` in a folder that every user may enter, like the mounts of a container. */
function copied(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-deploy-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  cpSync(join(root, 'deploy'), join(folder, 'deploy'), { recursive: true })
  for (const name of ['.env', 'secrets'])
    rmSync(join(folder, 'deploy', name), { recursive: true, force: true })
  chmodSync(folder, 0o755)
  return folder
}

/** Runs the commands of the guide that write files. */
function followGuide(folder: string): void {
  const block = /### With Compose[\s\S]*?```sh elsewhere\n([\s\S]*?)```/.exec(guide)?.[1] ?? ''
  const commands = block.split('\n').filter((line) => !line.startsWith('docker '))
  assert.equal(block.split('\n').length - commands.length, 2)
  for (const name of ['YOUR_CERTIFICATE_WITH_ITS_CHAIN', 'ITS_PRIVATE_KEY'])
    writeFileSync(join(folder, name), 'PEM')
  const { status, stderr } = spawnSync('sh', ['-euc', commands.join('\n')], { cwd: folder, encoding: 'utf8' })
  assert.equal(status, 0, stderr)
}

/** Runs the service `files` with the arguments of the compose file. */
function prepare(folder: string, file: Any = compose) {
  const [shell, script, mounted, group, ...names] = file.services.files.entrypoint
  assert.deepEqual(
    [shell, script, mounted, group],
    ['/bin/sh', '/deploy/prepare-files.sh', '/deploy', '10001'],
  )
  const deploy = join(folder, 'deploy')
  return spawnSync(shell, [join(deploy, 'prepare-files.sh'), deploy, String(GROUP), ...names], {
    encoding: 'utf8',
  })
}

/** Puts the files where every user may go, as the same files: a mount too keeps owner and mode, and leaves out the folders. */
function mount(folder: string): void {
  mkdirSync(join(folder, 'mounts'))
  for (const name of compose.services.files.entrypoint.slice(4))
    linkSync(join(folder, 'deploy', name), join(folder, 'mounts', basename(name)))
}

/** Runs a command of the product as the user of its image. */
function asImage(folder: string, argv: readonly string[]) {
  const home = join(folder, 'home')
  mkdirSync(home, { recursive: true, mode: 0o700 })
  if (isRoot) chownSync(home, 10001, 10001)
  return spawnSync(BIN, argv, {
    encoding: 'utf8',
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: home,
      WAYBILL_HOME: home,
      WAYBILL_ENV_FILE: join(folder, 'mounts/waybill.env'),
      NODE_COMPILE_CACHE: home,
    },
    ...(isRoot && { uid: 10001, gid: 10001 }),
  })
}

/** The command line of a service, with what Compose puts in, and the paths of this machine. */
function commandOf(folder: string, service: string): readonly string[] {
  const values = new Map(
    readFileSync(join(folder, 'deploy/.env'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split(/=(.*)/s) as [string, string]),
  )
  return compose.services[service].command.map((word: string) =>
    word
      .replace(
        /\$\{(\w+):\?[^}]*\}/,
        (_, name) => values.get(name) ?? assert.fail(`${name} is not in deploy/.env`),
      )
      .replace('/etc/waybill/', `${join(folder, 'mounts')}/`),
  )
}

describe('the files of deploy/, as the guide says', () => {
  test('the commands of the guide write every file that the compose file names, readable by their owner only', (t) => {
    const folder = copied(t)
    followGuide(folder)
    const secrets = Object.values(compose.secrets).map(({ file }: Any) => join('deploy', file))
    assert.equal(secrets.length, 4)
    for (const file of [...secrets, 'deploy/.env']) {
      assert.equal(statSync(join(folder, file)).mode & 0o777, 0o600, file)
      assert.ok(guide.includes(`| \`${file}\``), file)
    }
    assert.equal(statSync(join(folder, 'deploy/secrets')).mode & 0o777, 0o700)
    const prepared = compose.services.files.entrypoint.slice(4).map((name: string) => join('deploy', name))
    const mounted = ['server', 'worker', 'proxy'].flatMap((name) =>
      compose.services[name].volumes.flatMap((volume: Any) =>
        typeof volume === 'string' ? [] : [join('deploy', volume.source)],
      ),
    )
    assert.deepEqual([...prepared].sort(), [...new Set([...secrets, ...mounted])].sort())
    assert.match(read('.gitignore'), /^deploy\/\.env\ndeploy\/secrets\/$/m)
  })

  test('after the service files, each process reads its files as the user of its image, and before it not', (t) => {
    const folder = copied(t)
    followGuide(folder)
    const variables = join(folder, 'deploy/secrets/waybill.env')
    const password = readFileSync(join(folder, 'deploy/secrets/database_password'), 'utf8').trim()
    // No database is there: a process that has read everything says that it cannot reach it.
    writeFileSync(variables, readFileSync(variables, 'utf8').replace('@postgres/', '@127.0.0.1:1/'))
    for (const name of ['config.yaml', 'proxy.conf']) chmodSync(join(folder, 'deploy', name), 0o600)
    mount(folder)
    const processes = [commandOf(folder, 'server'), commandOf(folder, 'worker'), ['token', 'new', 'first']]
    const codes = () =>
      processes.map((argv) => {
        const { stdout, stderr } = asImage(folder, argv)
        const text = stdout + stderr
        assert.ok(!text.includes(password) && !text.includes('YOUR_KEY'), text)
        return /ENV_FILE_UNREADABLE|DATABASE_UNREACHABLE/.exec(text)?.[0] ?? text
      })
    if (isRoot)
      assert.deepEqual(
        codes(),
        processes.map(() => 'ENV_FILE_UNREADABLE'),
      )
    const { status, stdout, stderr } = prepare(folder)
    assert.deepEqual([status, stdout, stderr], [0, '', ''])
    assert.deepEqual(
      codes(),
      processes.map(() => 'DATABASE_UNREACHABLE'),
    )
    for (const name of compose.services.files.entrypoint.slice(4)) {
      const { mode, uid, gid } = statSync(join(folder, 'deploy', name))
      assert.deepEqual([mode & 0o777, uid, gid], [0o640, process.getuid?.(), GROUP], name)
    }
    // The proxy has another user, and the group of the files.
    assert.deepEqual(compose.services.proxy.group_add, [compose.services.files.entrypoint[3]])
    assert.deepEqual(local.services.proxy.group_add, [local.services.files.entrypoint[3]])
    const proxy = isRoot ? { uid: 101, gid: GROUP } : {}
    for (const name of ['proxy.conf', 'tls_key.pem', 'tls_certificate.pem'])
      assert.equal(spawnSync('cat', [join(folder, 'mounts', name)], proxy).status, 0, name)
  })

  test('a try needs no file that is not in the repository', (t) => {
    const folder = copied(t)
    const { status, stderr } = prepare(folder, local)
    assert.deepEqual([status, stderr], [0, ''])
    assert.ok(!existsSync(join(folder, 'deploy/secrets')))
  })

  const SECRET = 'tiger-violin-83'
  const WRONG: readonly (readonly [
    what: string,
    file: string,
    spoil: (path: string) => void,
    code: string,
  ])[] = [
    ...['config.yaml', 'secrets/waybill.env', 'secrets/tls_key.pem'].flatMap((file) => [
      ['is missing', file, (path: string) => rmSync(path), 'FILE_UNREADABLE'] as const,
      ['is empty', file, (path: string) => writeFileSync(path, ''), 'FILE_EMPTY'] as const,
      [
        'is a folder',
        file,
        (path: string) => {
          rmSync(path)
          mkdirSync(path)
        },
        'FILE_NOT_REGULAR',
      ] as const,
    ]),
    ...[`\uFEFF${SECRET}`, `${SECRET}\r\n`, `${SECRET} \n`, `${SECRET}ü\n`, `${SECRET}\t${SECRET}`].map(
      (text) =>
        [
          `is ${JSON.stringify(text)}`,
          'secrets/database_password',
          (path: string) => writeFileSync(path, text),
          'ENCODING_NOT_UTF8',
        ] as const,
    ),
  ]
  for (const [what, file, spoil, code] of WRONG)
    test(`the service files ends with ${code} if ${file} ${what}, and shows no content`, (t) => {
      const folder = copied(t)
      followGuide(folder)
      spoil(join(folder, 'deploy', file))
      const { status, stdout, stderr } = prepare(folder)
      assert.equal(status, 1)
      assert.equal(stdout, '')
      assert.match(stderr, new RegExp(`^error ${code} deploy/${file}: .+\n  hint .+\n$`))
      assert.ok(CODE_AREAS.some(({ codes }) => Object.hasOwn(codes, code)))
      assert.ok(guide.includes(`\`${code}\``), code)
      assert.ok(!stderr.includes(SECRET))
    })

  test('no process starts before the service files has ended well', () => {
    for (const file of [compose, local])
      for (const name of ['server', 'worker'])
        assert.equal(file.services[name].depends_on.files.condition, 'service_completed_successfully')
    assert.equal(compose.services.postgres.depends_on.files.condition, 'service_completed_successfully')
    for (const file of [compose, local])
      assert.equal(file.services.proxy.depends_on.server.condition, 'service_healthy')
  })
})
