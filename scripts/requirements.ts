/**
 * Which requirements the tests prove: `npm run requirements -- [--missing] [--capability NAME] [--json]`.
 * A test proves a requirement by naming it: `test('AAIF-4.2-15: …')`, `test('AAIF-8.2-03, AAIF-8.2-04: …')`, and so does
 * a case that a test goes through: `{ name: 'AAIF-4.3-02: …' }`.
 * An id that no requirement has is an error. The list of requirements lies outside of the repository:
 * `requirements.tsv` in the folder that WAYBILL_TEST_DATA names.
 */
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { parseRequirements, provedIds } from './requirement-ids.ts'

const root = join(import.meta.dirname, '..')
const { values } = parseArgs({
  options: {
    missing: { type: 'boolean', default: false },
    capability: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
})

const list = resolve(root, process.env.WAYBILL_TEST_DATA ?? '../shared', 'requirements.tsv')
let text: string
try {
  text = readFileSync(list, 'utf8')
} catch {
  process.stderr.write(
    `no list of requirements at ${list}\nhint: set WAYBILL_TEST_DATA to the folder that holds it\n`,
  )
  process.exit(2)
}

const requirements = parseRequirements(text).filter(
  ({ capability }) => values.capability === undefined || capability === values.capability,
)
const known = new Set(parseRequirements(text).map(({ id }) => id))
const proofs = new Map<string, string[]>()
for (const file of globSync('test/**/*.ts', { cwd: root }).sort()) {
  for (const id of provedIds(readFileSync(join(root, file), 'utf8'))) {
    proofs.set(id, [...(proofs.get(id) ?? []), file])
  }
}
const unknown = [...proofs.keys()].filter((id) => !known.has(id)).sort()
const missing = requirements.filter(({ id }) => !proofs.has(id))

if (values.json) {
  const proved = requirements
    .filter(({ id }) => proofs.has(id))
    .map(({ id }) => ({ id, files: proofs.get(id) }))
  process.stdout.write(
    `${JSON.stringify({ total: requirements.length, proved, missing, unknown }, null, 2)}\n`,
  )
} else {
  if (values.missing) {
    for (const { id, strength, capability, area, requirement } of missing) {
      process.stdout.write(`${id}  ${strength}  ${capability}/${area}\n    ${requirement}\n`)
    }
  }
  const groups = Map.groupBy(requirements, ({ capability, area }) => `${capability}/${area}`)
  for (const [group, members] of [...groups].sort(([a], [b]) => a.localeCompare(b))) {
    const proved = members.filter(({ id }) => proofs.has(id)).length
    process.stdout.write(`${String(proved).padStart(4)}/${String(members.length).padEnd(4)} ${group}\n`)
  }
  process.stdout.write(`${requirements.length - missing.length}/${requirements.length} proved\n`)
}
for (const id of unknown) {
  process.stderr.write(`${proofs.get(id)?.join(', ')}: a test names ${id}, which is no requirement\n`)
}
process.exitCode = unknown.length > 0 ? 1 : 0
