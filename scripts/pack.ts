/**
 * Builds the package that is published: `npm run pack:dist`.
 * Node strips no types below node_modules, so what is published is plain JavaScript, staged in `dist/`
 * with a package.json of its own. Prints the path of the tarball, and nothing else, to standard output.
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
import { dirname, join } from 'node:path'
import { publishedManifest, type RepositoryManifest } from './published-manifest.ts'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')

/** Copied as they are when they exist. */
const CARRIED = ['schemas', 'docs', 'README.md', 'CHANGELOG.md', 'LICENSE', 'NOTICE']

function compile(): void {
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { cwd: root, stdio: ['ignore', 2, 2] })
}

/** Generated validators, their declarations and data are what they are: the compiler must not restyle them. */
function copyUncompiled(): void {
  for (const file of globSync('src/**/*.{js,mjs,json,d.ts,yaml,sql,txt,html,css}', { cwd: root })) {
    const target = join(dist, 'lib', file.slice('src/'.length))
    mkdirSync(dirname(target), { recursive: true })
    cpSync(join(root, file), target)
  }
}

function copyLauncher(): void {
  mkdirSync(join(dist, 'bin'))
  cpSync(join(root, 'bin/waybill'), join(dist, 'bin/waybill'))
  chmodSync(join(dist, 'bin/waybill'), 0o755)
  const main = readFileSync(join(root, 'bin/main.mjs'), 'utf8')
  const built = main.replace("'../src/cli/main.ts'", "'../lib/cli/main.js'")
  if (built === main)
    throw new Error('bin/main.mjs no longer imports ../src/cli/main.ts: scripts/pack.ts must follow')
  writeFileSync(join(dist, 'bin/main.mjs'), built)
}

rmSync(dist, { recursive: true, force: true })
compile()
copyUncompiled()
copyLauncher()
for (const name of CARRIED) {
  if (existsSync(join(root, name))) cpSync(join(root, name), join(dist, name), { recursive: true })
}
// The corpus, so that anyone can run it again: `waybill conformance report`.
for (const folder of globSync('test/conformance/*/{valid,invalid}', { cwd: root })) {
  cpSync(join(root, folder), join(dist, folder), { recursive: true })
}
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as RepositoryManifest
writeFileSync(join(dist, 'package.json'), `${JSON.stringify(publishedManifest(manifest), null, 2)}\n`)

const packed = execFileSync('npm', ['pack', '--json', '--ignore-scripts'], { cwd: dist, encoding: 'utf8' })
const [tarball] = JSON.parse(packed) as [{ filename: string; size: number; entryCount: number }]
process.stderr.write(`${tarball.entryCount} files, ${Math.ceil(tarball.size / 1024)} KiB\n`)
process.stdout.write(`${join(dist, tarball.filename)}\n`)
