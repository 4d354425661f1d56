/**
 * Generates the conformance report that every installation serves: what the corpus of Waybill proves is the same
 * everywhere, so it is made when the package is built. `npm run generate` runs this program after all other files are
 * written, because the corpus is judged by the generated validators. A test compares the file with `ownReportFile()`.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { conformanceReport } from '../src/cli/conformance/write-report.ts'
import type { ConformanceReport } from '../src/spec/aaif/generated/conformance-report.ts'

const root = join(import.meta.dirname, '..')

/** Relative to the repository. */
export const OWN_REPORT_PATH = 'src/cli/conformance/generated/own-report.ts'

/** Returns the text of the generated file. Its times are those of the file that exists, while the report says the same. */
export async function ownReportFile(): Promise<string> {
  const { report, cases } = await conformanceReport(undefined, root)
  const failed = cases.find(({ passed }) => !passed)
  if (failed !== undefined) throw new Error(`the corpus fails: ${failed.file}: ${failed.reason}`)
  const before = await import(join(root, OWN_REPORT_PATH)).then(
    ({ OWN_REPORT }: { readonly OWN_REPORT: ConformanceReport }) => OWN_REPORT,
    () => undefined,
  )
  const at = before?.report.generated_at ?? report.report.generated_at
  const same = before !== undefined && isDeepStrictEqual(madeAt(report, at), madeAt(before, at))
  return `// Generated from test/conformance by \`npm run generate\`. Do not edit.
import type { ConformanceReport } from '../../../spec/aaif/generated/conformance-report.ts'

/** The conformance report (AAIF §6) of this version: what its corpus proves. */
export const OWN_REPORT: ConformanceReport = ${JSON.stringify(same ? before : report, null, 2)}
`
}

function madeAt({ report, claims, ...rest }: ConformanceReport, at: string): ConformanceReport {
  return {
    ...rest,
    report: { ...report, generated_at: at },
    claims: claims.map((claim) => ({ ...claim, test_suite: { ...claim.test_suite, ran_at: at } })),
  } as ConformanceReport
}

if (import.meta.main) {
  await mkdir(dirname(join(root, OWN_REPORT_PATH)), { recursive: true })
  await writeFile(join(root, OWN_REPORT_PATH), await ownReportFile())
}
