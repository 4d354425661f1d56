/**
 * Installs the package that would be published in an empty folder and uses it as a stranger would, under the
 * pinned Node 24 and under the oldest line that is supported: `npm run check:package`.
 */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import {
  accessSync,
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

const OLDEST_NODE = '22.23.3'
const root = join(import.meta.dirname, '..')

/** The environment of a stranger: no Waybill settings, no keys, and not this repository's Node first on the PATH. */
function strangersEnvironment(home: string): NodeJS.ProcessEnv {
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
const installed = join(place, 'node_modules/waybill')
const environment = strangersEnvironment(place)

function npm(...args: string[]): void {
  // The cache of whoever runs this: the binaries are large.
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
  /** Of the Node that ran Waybill itself. */
  readonly version: string
}

/** Runs `npx waybill … --json`, and learns which Node it really ran on. */
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
  assert.deepEqual(sources, [], 'the package carries TypeScript sources')
  accessSync(join(installed, 'bin/waybill'), constants.X_OK)
  for (const name of ['README.md', 'CHANGELOG.md', 'LICENSE', 'lib/cli/main.js']) {
    assert.ok(existsSync(join(installed, name)), `the package lacks ${name}`)
  }
  for (const file of globSync('lib/**/*.js', { cwd: installed })) {
    const text = readFileSync(join(installed, file), 'utf8')
    for (const [, specifier = ''] of text.matchAll(
      /^(?:import|export)\b[^'"\n]*['"](\.{1,2}\/[^'"]+)['"]/gm,
    )) {
      // What is loaded at first use is named without its extension.
      const path = join(installed, file, '..', specifier)
      assert.ok(
        existsSync(path) || existsSync(`${path}.js`),
        `${file} imports ${specifier}, which is not there`,
      )
    }
  }
}

/** The entries that code imports, as `waybill/spec`. */
function entries(): string[] {
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
    exports: Record<string, string | { default: string }>
  }
  return Object.entries(manifest.exports)
    .filter(([entry, target]) => !entry.includes('*') && typeof target !== 'string')
    .map(([entry]) => join('waybill', entry))
}

function checkImports(node: string): void {
  const code = entries()
    .map(
      (entry) =>
        `if (Object.keys(await import('${entry}')).length === 0) throw new Error('${entry} exports nothing')`,
    )
    .join('\n')
  writeFileSync(join(place, 'imports.mjs'), code)
  execFileSync(node, ['imports.mjs'], { cwd: place, env: environment, stdio: ['ignore', 2, 2] })
}

function checkTypes(): void {
  const lines = entries().map(
    (entry, index) => `import * as entry${index} from '${entry}'\nvoid entry${index}`,
  )
  writeFileSync(join(place, 'consumer.ts'), `${lines.join('\n')}\n`)
  const config = {
    compilerOptions: {
      ...{ module: 'nodenext', target: 'es2024', strict: true, noEmit: true, skipLibCheck: false },
      ...{
        types: ['node'],
        typeRoots: [join(root, 'node_modules/@types')],
        exactOptionalPropertyTypes: true,
      },
    },
    files: ['consumer.ts'],
  }
  writeFileSync(join(place, 'tsconfig.json'), JSON.stringify(config))
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [tsc, '-p', '.'], { cwd: place, stdio: ['ignore', 2, 2] })
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
  const tarball = execFileSync(process.execPath, [join(root, 'scripts/pack.ts')], { encoding: 'utf8' }).trim()
  writeFileSync(
    join(place, 'package.json'),
    JSON.stringify({ name: 'stranger', private: true, type: 'module' }),
  )
  cpSync(join(root, 'examples/parcel-clerk/clerk.yaml'), join(place, 'agent.yaml'))
  npm('install', tarball)
  checkContents()
  checkTypes()
  checkImports(process.execPath)
  checkCommands('v24', {})

  const oldest = `node-linux-${process.arch}`
  npm('install', '--no-save', `oldest-node@npm:${oldest}@${OLDEST_NODE}`)
  const node = join(place, 'node_modules/oldest-node/bin/node')
  checkImports(node)
  checkCommands('v22', { WAYBILL_NODE: node })
  process.stdout.write('the package holds what it needs\n')
} finally {
  rmSync(place, { recursive: true, force: true })
}
