/**
 * Demonstrates the product: `npm run demo`. Needs no key, no network and no input: a server on loopback replaces the
 * model's provider. Works on a copy of an example in a temporary folder, and fails if a step does not end as expected.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ScriptedProvider, startScriptedProvider } from './scripted-provider.ts'

interface Step {
  readonly why: string
  readonly args: readonly string[]
  readonly exit: number
}

const LIMIT_MS = 60_000
const INPUT = 'Where is 1Z999AA1? Please fetch it on 1 December.'

const steps = ({ url }: ScriptedProvider): readonly Step[] => [
  {
    why: 'A file with three mistakes: each is reported with its place, its rule and a hint.',
    args: ['validate', 'mistaken.yaml'],
    exit: 1,
  },
  { why: 'A valid file.', args: ['validate', 'clerk.yaml'], exit: 0 },
  {
    why: 'The plan: what a run would do, and what is missing.',
    args: ['plan', 'clerk.yaml', '--tools', 'tools.mjs'],
    exit: 1,
  },
  {
    why: 'A rehearsal: test doubles replace the model and the tools.',
    args: ['run', 'clerk.yaml', '--rehearse', '--input', 'Where is 1Z999AA1?'],
    exit: 0,
  },
  {
    why: 'A real run with real functions. The provider is a script on this machine, so no key is needed.',
    args: [
      ...['run', 'clerk.yaml', '--tools', 'tools.mjs', '--input', INPUT],
      ...['--model', 'custom/scripted', '--base-url', url, '--budget', 'calls=10,seconds=30'],
    ],
    exit: 0,
  },
  { why: 'Every run is recorded.', args: ['runs', 'list'], exit: 0 },
]

const root = join(import.meta.dirname, '..')
const place = mkdtempSync(join(tmpdir(), 'waybill-demo-'))
for (const name of ['clerk.yaml', 'mistaken.yaml', 'tools.mjs'])
  cpSync(join(root, 'examples/parcel-clerk', name), join(place, name))

/** Removes keys from the environment: the demo shows the behaviour without keys. */
function environment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^WAYBILL_|_API_KEY$/.test(name))
  return { ...Object.fromEntries(kept), WAYBILL_HOME: join(place, 'home') }
}

async function waybill(args: readonly string[]): Promise<number | string> {
  const child = spawn(join(root, 'bin/waybill'), args, {
    cwd: place,
    env: environment(),
    stdio: ['ignore', 1, 1],
    timeout: LIMIT_MS,
  })
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
  return code ?? signal ?? 'nothing'
}

/** Runs the example of an agent that moves over three hosts; it starts and ends its own platforms. */
async function moves(): Promise<number | string> {
  const env = { ...environment(), PATH: `${join(root, 'bin')}:${process.env.PATH ?? ''}` }
  const script = join(root, 'examples/moving/run.ts')
  const child = spawn(process.execPath, [script], { env, stdio: ['ignore', 1, 1], timeout: 3 * LIMIT_MS })
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
  return code ?? signal ?? 'nothing'
}

/** Returns an argument as a word of a shell, so that a shown command can be pasted. */
const shown = (arg: string) => (/[^\w@%+=:,./-]/.test(arg) ? `'${arg.replaceAll("'", `'\\''`)}'` : arg)

let failed = 0
const provider = await startScriptedProvider()
try {
  for (const { why, args, exit } of steps(provider)) {
    process.stdout.write(`\n# ${why}\n$ waybill ${args.map(shown).join(' ')}\n`)
    const ended = await waybill(args)
    if (ended === exit) continue
    failed++
    process.stdout.write(`✖ ended with ${ended}, expected ${exit}\n`)
  }
  process.stdout.write(
    '\n# A running agent moves: it begins here, waits on one platform for an approval, and ends on another one.\n',
  )
  const moved = await moves()
  if (moved !== 0) {
    failed++
    process.stdout.write(`✖ ended with ${moved}, expected 0\n`)
  }
} finally {
  provider.close()
  rmSync(place, { recursive: true, force: true })
}
process.stdout.write(failed === 0 ? '\nAll steps of the demo passed.\n' : `\n${failed} steps failed.\n`)
process.exitCode = failed === 0 ? 0 : 1
