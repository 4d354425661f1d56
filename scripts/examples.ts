/**
 * Runs every example and reports: `npm run examples [-- NAME…]`. An example is a folder under `examples/`
 * with a `run.ts` or a `run.sh`, which asserts its own result and exits with 0 if it is correct.
 */
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

const LIMIT_MS = 120_000
const root = join(import.meta.dirname, '..')
const wanted = process.argv.slice(2)

const scripts = globSync('examples/*/run.{ts,sh}', { cwd: root })
  .filter((script) => wanted.length === 0 || wanted.includes(basename(dirname(script))))
  .sort()

let failed = 0
for (const script of scripts) {
  // Each example has a separate home, so that runs and grants of one example do not affect another.
  const home = mkdtempSync(join(tmpdir(), 'waybill-example-'))
  const [command, ...args] = script.endsWith('.ts') ? [process.execPath, script] : ['bash', script]
  const start = performance.now()
  const child = spawnSync(command ?? '', args, {
    cwd: root,
    env: { ...process.env, WAYBILL_HOME: home, PATH: `${join(root, 'bin')}:${process.env.PATH ?? ''}` },
    encoding: 'utf8',
    timeout: LIMIT_MS,
    input: '',
  })
  rmSync(home, { recursive: true, force: true })
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  const fine = child.status === 0
  process.stdout.write(`${fine ? '✔' : '✖'} ${dirname(script)}  ${seconds} s\n`)
  if (fine) continue
  failed++
  const why =
    child.error?.message ?? (child.status === null ? `ended by ${child.signal}` : `exit ${child.status}`)
  process.stdout.write(`${why}\n${child.stdout}${child.stderr}`.trimEnd().replace(/^/gm, '    ').concat('\n'))
}

if (scripts.length === 0) process.stdout.write('there is no example of that name\n')
process.stdout.write(`${scripts.length - failed} of ${scripts.length} examples passed\n`)
process.exitCode = failed > 0 || scripts.length === 0 ? 1 : 0
