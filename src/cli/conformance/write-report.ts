import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { WaybillError } from '../../document/issue.ts'
import { asJson } from '../../document/json.ts'
import { hostCapabilities } from '../../plan/host-capabilities.ts'
import { HOST_PROVIDERS, hostManifest } from '../../plan/host-manifest.ts'
import { OWN_BACKENDS } from '../../plan/plan-memory.ts'
import type { ConformanceReport } from '../../spec/aaif/generated/conformance-report.ts'
import { SC_STANDARD, SC_VERSION, TOOL_PROTOCOLS } from '../../spec/aaif/vocabulary.ts'
import { writeWhole } from '../files/write-result.ts'
import { EXIT, type ExitCode, type Io } from '../io.ts'
import { productVersion } from '../product-version.ts'
import { count } from '../terminal/amounts.ts'
import { jsonText } from '../terminal/plain-text.ts'
import { type Proof, proofsOf } from './prove-levels.ts'
import { type CorpusCase, runCorpus } from './run-corpus.ts'
import type { ConformanceOptions } from './test-corpus.ts'

/** Prints a conformance report (AAIF §6) that claims only what the corpus proves (`waybill conformance report`). */
export async function writeReport(
  dir: string | undefined,
  { output }: ConformanceOptions,
  io: Io,
): Promise<ExitCode> {
  const { report, cases, proofs, proved } = await conformanceReport(dir, io.cwd)
  const text = `${jsonText(asJson(report), 2)}\n`
  if (output === undefined) io.out(text)
  else writeWhole(output, text, io)
  const failed = cases.filter(({ passed }) => !passed)
  io.err(`${summary(cases, failed, proved, proofs)}\n`)
  return failed.length === 0 && proved === proofs ? EXIT.ok : EXIT.no
}

/** A conformance report, and what it was made from. */
interface MadeReport {
  readonly report: ConformanceReport
  readonly cases: readonly CorpusCase[]
  /** The number of claims that were tried, and of those that were proved. */
  readonly proofs: number
  readonly proved: number
}

/**
 * Runs a corpus, and returns a report that claims what it proves.
 * @param dir default: the corpus of Waybill
 * @throws CORPUS_EMPTY, NOTHING_PROVED
 */
export async function conformanceReport(dir: string | undefined, cwd: string): Promise<MadeReport> {
  const cases = await runCorpus(dir ?? ownCorpus(), cwd)
  const proofs = await proofsOf(cases, cwd)
  const proved = proofs.filter(({ passed, total }) => total > 0 && passed === total)
  if (proved.length === 0) throw nothingProved(cases)
  const report = reportOf(proved, dir === undefined ? 'the corpus of Waybill' : dir, new Date().toISOString())
  return { report, cases, proofs: proofs.length, proved: proved.length }
}

/** The folder of the corpus, in the repository and in the published package. */
function ownCorpus(): string {
  const folder = join(import.meta.dirname, '../../../test/conformance')
  if (existsSync(folder)) return folder
  throw new WaybillError('CORPUS_EMPTY', {
    fault: 'usage',
    message: 'this installation of Waybill does not contain the corpus',
    hint: 'give the folder of a corpus: waybill conformance report DIR',
  })
}

function reportOf(proved: readonly Proof[], corpus: string, at: string): ConformanceReport {
  const version = productVersion()
  const { capabilities = {} } = hostManifest(version, at).platform
  const offered = hostCapabilities()
  return {
    sc_standard: SC_STANDARD,
    report: { generated_at: at, aaif_versions: [SC_VERSION] },
    platform: { name: 'Waybill', version },
    claims: proved.map(({ level, direction, what, passed, total }) => ({
      level,
      direction,
      test_suite: { corpus: `${corpus} ${version}: ${what}`, passed, total, ran_at: at },
    })),
    supported: {
      providers: HOST_PROVIDERS,
      capabilities: [...offered],
      condition_languages: capabilities.orchestration?.condition_languages ?? [],
      vault_providers: capabilities.auth?.vault?.providers ?? [],
      memory_backends: OWN_BACKENDS,
      tool_protocols: TOOL_PROTOCOLS.filter((protocol) => offered.has(`tool.${protocol}`)),
    },
  }
}

function summary(
  cases: readonly CorpusCase[],
  failed: readonly CorpusCase[],
  proved: number,
  tried: number,
): string {
  const verdict = `${cases.length - failed.length} of ${count(cases.length, 'document')} as expected`
  const [first] = failed
  const example = first === undefined ? '' : `; first failure: ${first.file}`
  return `${verdict}, ${proved} of ${count(tried, 'claim')} proved${example}`
}

function nothingProved(cases: readonly CorpusCase[]): WaybillError {
  return new WaybillError('NOTHING_PROVED', {
    message: `${count(cases.length, 'document')} tested, but no conformance level is proved, and a report needs at least one`,
    hint: '`waybill conformance test DIR` lists the documents that fail; a corpus needs agent definitions',
  })
}
