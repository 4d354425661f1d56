/**
 * Lists the requirements that the tests prove: `npm run requirements -- [--missing] [--capability NAME] [--json]`. A
 * requirement is proved when a test that claims it has passed, and none has failed. A test claims the ids that its
 * title begins with, or the title of a group around it: `test('AAIF-4.2-15: …')`, `describe('AAIF-8.2-03, AAIF-8.2-04:
 * …')`, or a case that names a test. Reads the results that `npm test` stores; without them exits with 2, and reports
 * results that are older than the code. An id without a requirement is an error. The list of requirements is outside
 * the repository: `requirements.tsv` in the folder that WAYBILL_TEST_DATA names.
 */
import { globSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { isProved, parseRequirements, proofsOf, staleness } from './requirement-ids.ts'
import { commitOf, readResults } from './test-results.ts'

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
    `no list of requirements at ${list}\nhint: set WAYBILL_TEST_DATA to the folder that contains it\n`,
  )
  process.exit(2)
}

const requirements = parseRequirements(text).filter(
  ({ capability }) => values.capability === undefined || capability === values.capability,
)
const results = readResults(root)
if (results === null) {
  process.stderr.write('there are no test results\nhint: run npm test, which stores them\n')
  process.exit(2)
}

const proofs = proofsOf(results)
const known = new Set(parseRequirements(text).map(({ id }) => id))
const unknown = [...proofs.keys()].filter((id) => !known.has(id)).sort()
const missing = requirements.filter(({ id }) => !isProved(proofs.get(id)))
const files = globSync('{src,test}/**/*.{ts,js,json,yaml}', { cwd: root })
const changedAtMs = Object.fromEntries(files.map((file) => [file, statSync(join(root, file)).mtimeMs]))
const stale = staleness(results, { commit: commitOf(root), changedAtMs })

if (values.json) {
  const proved = requirements
    .filter(({ id }) => isProved(proofs.get(id)))
    .map(({ id }) => ({ id, tests: proofs.get(id)?.passed }))
  const lacking = missing.map((requirement) => {
    const { failed = [], skipped = [] } = proofs.get(requirement.id) ?? {}
    return { ...requirement, failed, skipped }
  })
  process.stdout.write(
    `${JSON.stringify({ total: requirements.length, proved, missing: lacking, unknown, stale }, null, 2)}\n`,
  )
} else {
  if (values.missing) {
    for (const { id, strength, capability, area, requirement } of missing) {
      process.stdout.write(`${id}  ${strength}  ${capability}/${area}\n    ${requirement}\n`)
      for (const test of proofs.get(id)?.failed ?? []) process.stdout.write(`    failed: ${test}\n`)
      for (const test of proofs.get(id)?.skipped ?? []) process.stdout.write(`    skipped: ${test}\n`)
    }
  }
  const groups = Map.groupBy(requirements, ({ capability, area }) => `${capability}/${area}`)
  for (const [group, members] of [...groups].sort(([a], [b]) => a.localeCompare(b))) {
    const proved = members.filter(({ id }) => isProved(proofs.get(id))).length
    process.stdout.write(`${String(proved).padStart(4)}/${String(members.length).padEnd(4)} ${group}\n`)
  }
  process.stdout.write(`${requirements.length - missing.length}/${requirements.length} proved\n`)
}
for (const id of unknown) {
  process.stderr.write(`${testsNaming(id)}: a test names ${id}, which is not a requirement\n`)
}
for (const note of stale) process.stderr.write(`note: ${note}\n`)
if (stale.length > 0) process.stderr.write('hint: npm test updates the results\n')

function testsNaming(id: string): string {
  const { passed = [], failed = [], skipped = [] } = proofs.get(id) ?? {}
  return [...passed, ...failed, ...skipped].join(', ')
}

process.exitCode = unknown.length > 0 ? 1 : 0
