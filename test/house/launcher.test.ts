import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'

const root = join(import.meta.dirname, '../..')
const PINNED = `node-linux-${process.arch}`

describe('bin/waybill', () => {
  let base = ''
  let home = ''

  /** A stand-in for Node that says which one it is and what it was given. */
  function placeNode(path: string, label: string): void {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, `#!/bin/sh\nprintf '%s' "${label}"\nfor a; do printf '|%s' "$a"; done\necho "|$$"\n`)
    chmodSync(path, 0o755)
  }

  function placePinned(folder: string, version: string, label: string): void {
    placeNode(join(folder, 'node_modules', PINNED, 'bin/node'), label)
    const text = JSON.stringify({ name: PINNED, version }, null, 2)
    writeFileSync(join(folder, 'node_modules', PINNED, 'package.json'), text)
  }

  function start(command: string, args: string[] = [], env: Record<string, string> = {}) {
    const child = spawnSync(command, args, {
      encoding: 'utf8',
      env: { PATH: '/usr/bin:/bin', ...env },
      cwd: '/',
    })
    const [label, dashes, main, ...rest] = child.stdout.trim().split('|')
    if (label !== '') assert.equal(dashes, '--')
    return { status: child.status, stderr: child.stderr, label, main, args: rest.slice(0, -1) }
  }

  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), 'way bill-'))
    home = join(base, 'node_modules', 'waybill')
    cpSync(join(root, 'bin'), join(home, 'bin'), { recursive: true })
  })
  afterEach(() => rmSync(base, { recursive: true }))

  test("prefers the package's own pinned Node, and passes every argument on unchanged", () => {
    placePinned(home, '24.21.0', 'own')
    placePinned(base, '24.20.0', 'hoisted')
    const started = start(join(home, 'bin/waybill'), ['run', 'a b.json', '', '*', '--x=$y'])
    assert.equal(started.label, 'own')
    assert.equal(started.main, join(home, 'bin/main.mjs'))
    assert.deepEqual(started.args, ['run', 'a b.json', '', '*', '--x=$y'])
  })

  test('leaves --env-file to the command: Node itself does not look for it', () => {
    const child = spawnSync(
      join(root, 'bin/waybill'),
      ['plan', 'gone.yaml', '--env-file', 'gone.env', '--json'],
      {
        encoding: 'utf8',
        cwd: base,
      },
    )
    assert.equal(child.status, 2)
    assert.equal(JSON.parse(child.stdout).error.code, 'ENV_FILE_UNREADABLE')
  })

  test('finds the pinned Node that npm has hoisted above the package', () => {
    placePinned(base, '24.21.0', 'hoisted')
    assert.equal(start(join(home, 'bin/waybill')).label, 'hoisted')
  })

  test('works through relative and absolute symbolic links', () => {
    placePinned(base, '24.21.0', 'hoisted')
    mkdirSync(join(base, 'node_modules/.bin'))
    symlinkSync('../waybill/bin/waybill', join(base, 'node_modules/.bin/waybill'))
    symlinkSync(join(base, 'node_modules/.bin/waybill'), join(base, 'way'))
    assert.equal(start(join(base, 'way')).label, 'hoisted')
    assert.equal(start('sh', ['-c', `cd "${base}" && PATH="$PWD:$PATH" && way`]).label, 'hoisted')
  })

  for (const version of ['22.22.3', '22.22.10', '22.23.0', '24.15.0', '24.21.0', '25.0.0']) {
    test(`takes a pinned Node of version ${version}`, () => {
      placePinned(home, version, 'own')
      placeNode(join(base, 'path/node'), 'path')
      assert.equal(
        start(join(home, 'bin/waybill'), [], { PATH: `${join(base, 'path')}:/usr/bin:/bin` }).label,
        'own',
      )
    })
  }

  for (const version of ['18.19.0', '22.18.0', '22.22.2', '23.11.0', '24.14.9', 'next']) {
    test(`passes by a pinned Node of version ${version}`, () => {
      placePinned(home, version, 'old')
      placeNode(join(base, 'path/node'), 'path')
      assert.equal(
        start(join(home, 'bin/waybill'), [], { PATH: `${join(base, 'path')}:/usr/bin:/bin` }).label,
        'path',
      )
    })
  }

  test('WAYBILL_NODE wins over the pinned Node', () => {
    placePinned(home, '24.21.0', 'own')
    placeNode(join(base, 'my node'), 'mine')
    assert.equal(start(join(home, 'bin/waybill'), [], { WAYBILL_NODE: join(base, 'my node') }).label, 'mine')
  })

  test('says what is needed and exits 2 when there is no Node', () => {
    mkdirSync(join(base, 'empty'))
    const started = start('/bin/sh', [join(home, 'bin/waybill')], { PATH: join(base, 'empty') })
    assert.equal(started.status, 2)
    assert.match(started.stderr, /needs Node 24\.15 or later, or 22\.22\.3 or a later 22/)
    assert.match(started.stderr, /hint: /)
    const wrong = start(join(home, 'bin/waybill'), [], { WAYBILL_NODE: '/no/such/node' })
    assert.equal(wrong.status, 2)
    assert.match(wrong.stderr, /WAYBILL_NODE names no program: \/no\/such\/node/)
  })

  test('is replaced by Node, so that a signal reaches it', async () => {
    placePinned(home, '24.21.0', 'own')
    const child = spawn(join(home, 'bin/waybill'))
    let output = ''
    for await (const chunk of child.stdout) output += chunk
    assert.equal(output.trim().split('|').at(-1), String(child.pid))
  })

  for (const version of ['20.20.2', '22.22.2', '23.11.0', '24.14.9'])
    test(`main.mjs says that Node ${version} is too old and exits 2`, () => {
      const pretend = `Object.defineProperty(process,'versions',{value:{...process.versions,node:'${version}'}})`
      const args = [
        '--import',
        `data:text/javascript,${encodeURIComponent(pretend)}`,
        join(home, 'bin/main.mjs'),
      ]
      const child = spawnSync(process.execPath, args, { encoding: 'utf8' })
      assert.equal(child.status, 2)
      assert.ok(child.stderr.includes(` is ${version}\n`), child.stderr)
      assert.match(child.stderr, /needs Node 24\.15 or later, or 22\.22\.3 or a later 22/)
    })
})
