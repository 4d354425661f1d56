/**
 * The product in one go: `npm run demo`. Needs no key, no network and nobody at the keyboard; works on a
 * copy in a folder of its own, and fails when a step does not end as it should.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PARCEL_CLERK } from './parcel-clerk.ts'

interface Step {
  readonly why: string
  readonly args: readonly string[]
  readonly exit: number
}

const STEPS: readonly Step[] = [
  {
    why: 'A file with two mistakes: each is named with its place, its rule and a way out.',
    args: ['validate', 'mistaken.json'],
    exit: 1,
  },
  { why: 'The same file put right.', args: ['validate', 'clerk.json'], exit: 0 },
  { why: 'What would a run do, and what would be missing?', args: ['plan', 'clerk.json'], exit: 0 },
  {
    why: 'A rehearsal: doubles stand in for the model and the tool.',
    args: ['run', 'clerk.json', '--rehearse', '--input', 'Where is 1Z999?'],
    exit: 0,
  },
]

const root = join(import.meta.dirname, '..')
const place = mkdtempSync(join(tmpdir(), 'waybill-demo-'))
const { goal, ...withoutGoal } = PARCEL_CLERK.agent
const mistaken = { ...PARCEL_CLERK, agent: { ...withoutGoal, gaol: goal } }
writeFileSync(join(place, 'clerk.json'), JSON.stringify(PARCEL_CLERK, null, 2))
writeFileSync(join(place, 'mistaken.json'), JSON.stringify(mistaken, null, 2))

let failed = 0
try {
  for (const { why, args, exit } of STEPS) {
    process.stdout.write(
      `\n# ${why}\n$ waybill ${args.map((arg) => (/[ ?]/.test(arg) ? `'${arg}'` : arg)).join(' ')}\n`,
    )
    const child = spawnSync(join(root, 'bin/waybill'), args, {
      cwd: place,
      env: { ...process.env, WAYBILL_HOME: join(place, 'home'), NO_COLOR: '1' },
      stdio: ['ignore', 1, 1],
      timeout: 60_000,
    })
    if (child.status === exit) continue
    failed++
    process.stdout.write(`✖ ended with ${child.status ?? child.signal}, and should with ${exit}\n`)
  }
} finally {
  rmSync(place, { recursive: true, force: true })
}
process.stdout.write(failed === 0 ? '\nThe demo holds.\n' : `\n${failed} steps went wrong.\n`)
process.exitCode = failed === 0 ? 0 : 1
