import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { bundle } from './package/bundle.ts'
import { BUNDLED_PACKAGES } from './package/bundled-packages.ts'
import { builtName, type RepositoryManifest } from './package/published-manifest.ts'
import { groupByStarts, typicalStarts } from './package/start-profile.ts'

/** Scripts of `bin/` that import a source, which the bundled one imports from its chunk. */
const STARTED = ['main.mjs', 'functions.mjs', 'definitions.mjs']

/** Programs that many tests start, by their name in the bundle. */
const PROGRAMS = { 'engine-worker': 'test/platform/engine-worker.ts' }

/** The server of `waybill up`, whose parts are imported on first use. */
const SERVER = `await import('./src/cli/platform/serve.ts'); await import('./src/server/create-server.ts')`

/** What the bundle is made of. */
const SOURCES = [
  'package-lock.json',
  'bin/*',
  'schemas/**',
  'scripts/package/*',
  'src/**',
  'test/platform/*.ts',
  'test/conformance/**',
]

/**
 * Bundles the programs that tests start as processes, like the published package: a start from the sources spends most
 * of its processor time on finding hundreds of files, and the suite has over a thousand starts. An up-to-date bundle is
 * kept.
 * @returns the folder of the bundle, which is below `node_modules`, so that it finds the packages
 */
export async function bundlePrograms(root: string): Promise<string> {
  const folder = join(root, 'node_modules/.cache/waybill-test-programs')
  const stamp = join(folder, 'stamp')
  const current = stampOf(root)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === current) return folder
  const draft = `${folder}.${process.pid}`
  await writePrograms(root, draft)
  writeFileSync(join(draft, 'stamp'), current)
  rmSync(folder, { recursive: true, force: true })
  renameSync(draft, folder)
  return folder
}

/** Returns a text that changes with each of the files. */
export function stampOf(root: string): string {
  const hash = createHash('sha256')
  for (const path of globSync(SOURCES, { cwd: root }).sort()) {
    const { size, mtimeMs } = statSync(join(root, path))
    hash.update(`${path} ${size} ${mtimeMs}\n`)
  }
  return hash.digest('hex')
}

async function writePrograms(root: string, folder: string): Promise<void> {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as RepositoryManifest
  const members = ['dependencies', 'optionalDependencies', 'peerDependencies']
  const names = members.flatMap((member) => Object.keys((manifest[member] as object | undefined) ?? {}))
  mkdirSync(join(folder, 'bin'), { recursive: true })
  cpSync(join(root, 'bin/waybill'), join(folder, 'bin/waybill'))
  chmodSync(join(folder, 'bin/waybill'), 0o755)
  const started = STARTED.map((name) => copyScript(root, folder, name))
  const sources = started.map((source) => [builtName(source), join(root, 'src', `${source}.ts`)])
  const programs = Object.entries(PROGRAMS).map(([name, file]) => [name, join(root, file)])
  await bundle({
    root,
    sources: join(root, 'src'),
    outDir: join(folder, 'lib'),
    entries: Object.fromEntries([...sources, ...programs]),
    external: new Set(names.filter((name) => !BUNDLED_PACKAGES.includes(name))),
    together: groupByStarts(root, {
      ...typicalStarts(root, folder),
      server: ['--input-type=module', '--eval', SERVER],
    }),
  })
  const corpus = globSync('test/conformance/*/{valid,invalid}', { cwd: root })
  for (const name of ['schemas', 'package.json', ...corpus])
    cpSync(join(root, name), join(folder, name), { recursive: true })
}

/** @returns the source that the script imports, without `src/` and `.ts` */
function copyScript(root: string, folder: string, name: string): string {
  const text = readFileSync(join(root, 'bin', name), 'utf8')
  const [imported, source] = /'\.\.\/src\/([^']+)\.ts'/.exec(text) ?? []
  if (imported === undefined || source === undefined) throw new Error(`bin/${name} imports no source`)
  writeFileSync(join(folder, 'bin', name), text.replace(imported, `'../lib/${builtName(source)}.js'`))
  return source
}
