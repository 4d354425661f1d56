/**
 * Builds the package that is published: `npm run pack:dist`.
 * Node strips no types below node_modules, so what is published is plain JavaScript, bundled into few files (decision
 * 0023) and staged in `dist/` with a package.json of its own. Prints the path of the tarball, and nothing else, to
 * standard output.
 */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { bundle } from './bundle.ts'
import { BUNDLED_PACKAGES } from './bundled-packages.ts'
import { builtName, entrySources, publishedManifest, type RepositoryManifest } from './published-manifest.ts'
import { reachedTypes } from './published-types.ts'
import { groupByStarts, typicalStarts } from './start-profile.ts'
import { thirdPartyNotice } from './third-party-notice.ts'

const root = join(import.meta.dirname, '../..')
const dist = join(root, 'dist')
const lib = join(dist, 'lib')
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as RepositoryManifest
const sources = entrySources(manifest)

/** Copied as they are when they exist. */
const CARRIED = ['schemas', 'docs', 'README.md', 'CHANGELOG.md', 'LICENSE']

/** Writes the type declarations of all sources and generated validators, and keeps those that an entry reaches. */
function declareTypes(): void {
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { cwd: root, stdio: ['ignore', 2, 2] })
  for (const file of globSync('src/**/*.d.ts', { cwd: root })) {
    cpSync(join(root, file), join(lib, file.slice('src/'.length)))
  }
  const { files, packages } = reachedTypes(sources.map((source) => join(lib, `${source}.d.ts`)))
  for (const file of globSync('**/*.d.ts', { cwd: lib })) {
    if (!files.has(join(lib, file))) rmSync(join(lib, file))
  }
  const lacking = BUNDLED_PACKAGES.filter((name) => packages.has(name))
  if (lacking.length > 0)
    throw new Error(`published types need ${lacking}: scripts/package/bundled-packages.ts`)
}

/** What `bin` starts: the command line, processes of functions, and threads that read definitions. */
const STARTED = ['main.mjs', 'functions.mjs', 'definitions.mjs']

/** Returns the sources of the entries of `bin`, without `src/` and `.ts`. */
function copyLaunchers(): readonly string[] {
  mkdirSync(join(dist, 'bin'), { recursive: true })
  cpSync(join(root, 'bin/waybill'), join(dist, 'bin/waybill'))
  chmodSync(join(dist, 'bin/waybill'), 0o755)
  return STARTED.map((name) => {
    const text = readFileSync(join(root, 'bin', name), 'utf8')
    const [imported, source] = /'\.\.\/src\/([^']+)\.ts'/.exec(text) ?? []
    if (imported === undefined || source === undefined)
      throw new Error(`bin/${name} imports no source: scripts/package/pack.ts must follow`)
    writeFileSync(join(dist, 'bin', name), text.replace(imported, `'../lib/${builtName(source)}.js'`))
    return source
  })
}

async function bundleSources(started: readonly string[]): Promise<readonly string[]> {
  const members = ['dependencies', 'optionalDependencies', 'peerDependencies']
  const names = members.flatMap((member) => Object.keys((manifest[member] as object | undefined) ?? {}))
  const together = groupByStarts(root, typicalStarts(root, dist))
  rmSync(join(dist, 'sample.json'))
  return bundle({
    root,
    sources: join(root, 'src'),
    outDir: lib,
    entries: Object.fromEntries(
      [...started, ...sources].map((source) => [builtName(source), join(root, 'src', `${source}.ts`)]),
    ),
    external: new Set(names.filter((name) => !BUNDLED_PACKAGES.includes(name))),
    together,
  })
}

rmSync(dist, { recursive: true, force: true })
const started = copyLaunchers()
const bundled = await bundleSources(started)
declareTypes()
const notice = existsSync(join(root, 'NOTICE')) ? `${readFileSync(join(root, 'NOTICE'), 'utf8')}\n` : ''
writeFileSync(join(dist, 'NOTICE'), `${notice}${thirdPartyNotice(bundled)}`)
for (const name of CARRIED) {
  if (existsSync(join(root, name))) cpSync(join(root, name), join(dist, name), { recursive: true })
}
// The corpus, so that users can run it: `waybill conformance report`.
for (const folder of globSync('test/conformance/*/{valid,invalid}', { cwd: root })) {
  cpSync(join(root, folder), join(dist, folder), { recursive: true })
}
const published = publishedManifest(manifest, BUNDLED_PACKAGES)
writeFileSync(join(dist, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)

const packed = execFileSync('npm', ['pack', '--json', '--ignore-scripts'], { cwd: dist, encoding: 'utf8' })
const [tarball] = JSON.parse(packed) as [{ filename: string; size: number; entryCount: number }]
process.stderr.write(`${tarball.entryCount} files, ${Math.ceil(tarball.size / 1024)} KiB\n`)
process.stdout.write(`${join(dist, tarball.filename)}\n`)
