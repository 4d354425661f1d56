import { resolve } from 'node:path'
import { loadExtensions, registriesOf } from '../../compose/extensions.ts'
import { defined } from '../../document/defined.ts'
import type { Finding } from '../../document/finding.ts'
import type { Need } from '../../plan/negotiation/needs-of.ts'
import { type Negotiation, negotiate } from '../../plan/negotiation/negotiate.ts'
import { negotiationReport } from '../../plan/negotiation/negotiation-report.ts'
import { type Grants, parseHostGrant } from '../../policy/endpoint-gate.ts'
import { homePath } from '../../settings/home.ts'
import { readConfig } from '../../settings/read-config.ts'
import type { ConformanceReport } from '../../spec/aaif/generated/conformance-report.ts'
import type { PlatformManifest } from '../../spec/aaif/generated/manifest.ts'
import { parseConformanceReport } from '../../spec/aaif/parse-conformance-report.ts'
import { parsePlatformManifest } from '../../spec/aaif/parse-platform-manifest.ts'
import { readGivenDefinition } from '../files/read-given-definition.ts'
import { EXIT, type ExitCode, type Io } from '../io.ts'
import { wantsJson } from '../options/run-options.ts'
import { count } from '../terminal/amounts.ts'
import { type Paint, painter } from '../terminal/paint.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'
import { usageError } from '../usage-error.ts'
import { type Published, type PublishedKind, readPublished } from './read-published.ts'

export interface NegotiateOptions {
  readonly manifest?: string
  readonly report?: string
  readonly allowHost?: readonly string[]
  readonly config?: string
  readonly json?: boolean
  readonly format?: string
}

const MANIFEST: PublishedKind<PlatformManifest> = {
  name: 'manifest',
  parse: parsePlatformManifest,
  expiresAt: ({ platform }) => platform.manifest_expires_at,
  publishedAt: ({ platform }) => platform.manifest_url,
}
const REPORT: PublishedKind<ConformanceReport> = {
  name: 'conformance report',
  parse: parseConformanceReport,
  expiresAt: ({ report }) => report.expires_at,
  publishedAt: ({ report }) => report.report_url,
}

/**
 * Compares the capabilities that a platform advertises with the requirements of an agent (`waybill negotiate`). Fetches
 * documents only; does not connect to tools or models.
 */
export async function negotiateAgent(file: string, options: NegotiateOptions, io: Io): Promise<ExitCode> {
  const { manifest: source } = options
  if (source === undefined) {
    throw usageError(
      'no manifest of a platform given',
      'add --manifest FILE or URL; `waybill manifest | waybill negotiate agent.yaml --manifest -` compares with this machine',
    )
  }
  const now = Date.now()
  const {
    extensions = [],
    allow_hosts = [],
    ca_files,
  } = readConfig(homePath(io.env), options.config === undefined ? undefined : resolve(io.cwd, options.config))
  const granted: Grants = {
    hosts: [
      ...(options.allowHost ?? []).map((host) => parseHostGrant(host, 'flag')),
      ...allow_hosts.map((host) => parseHostGrant(host, 'config')),
    ],
    ...defined({ ca_files }),
  }
  const registries = await registriesOf(await loadExtensions(extensions))
  const { definition } = await readGivenDefinition(file, io, registries)
  const manifest = await readPublished(source, MANIFEST, granted, io, now)
  const report =
    options.report === undefined ? undefined : await readPublished(options.report, REPORT, granted, io, now)
  const advertised = report?.document.supported?.capabilities
  const result = negotiate(definition, manifest.document, defined({ advertised }))
  const stale = [manifest, ...(report === undefined ? [] : [report])].flatMap(staleness)
  const ok = result.verdict !== 'reject'
  if (wantsJson(options))
    io.out(`${jsonText(negotiationReport(definition.agent.name, manifest, result, stale), 2)}\n`)
  else io.out(text(definition.agent.name, manifest, result, stale, painter(io.color && io.outIsTty)))
  return ok ? EXIT.ok : EXIT.no
}

function staleness({ expired, expires_at, source, reason }: Published<unknown>): Finding[] {
  if (!expired) return []
  return [
    {
      severity: 'warning',
      code: 'PUBLISHED_EXPIRED',
      pointer: '',
      message: `${source} has expired: it was valid until ${expires_at}${reason === undefined ? '' : `; ${reason}`}`,
      hint: 'get the current version before you rely on it',
      rule: 'SPEC-U-05',
    },
  ]
}

function text(
  agent: string,
  { document }: Published<PlatformManifest>,
  { verdict, safety_level, needs, issues, must_be_audited }: Negotiation,
  stale: readonly Finding[],
  paint: Paint,
): string {
  const { name, version, aaif_conformance_level } = document.platform
  const unmet = issues.length
  const last = {
    accept: paint('good', 'Accepted: the platform meets all requirements of the agent.'),
    accept_degraded: paint(
      'warn',
      `Accepted with ${count(unmet, 'requirement')} not met (safety level ${safety_level}).`,
    ),
    reject: paint('bad', `Rejected: ${count(unmet, 'requirement')} not met (safety level ${safety_level}).`),
  }[verdict]
  return `${[
    `${paint('strong', plainLine(agent))} on ${paint('strong', plainLine(`${name} ${version}`))} ${paint('faint', `(${aaif_conformance_level})`)}`,
    ...stale.map(({ message }) => `${paint('warn', '!')} ${plainLine(message, 400)}`),
    ...needs.map((need) => needLine(need, paint)),
    last,
    ...(must_be_audited
      ? [paint('bad', 'The rejection must be recorded in the audit log (AAIF-7-10).')]
      : []),
  ].join('\n')}\n`
}

function needLine({ met, need, how, weight, pointer }: Need, paint: Paint): string {
  const mark = met ? paint('good', '✓') : weight === 'advice' ? paint('faint', '·') : paint('bad', '✗')
  return `  ${mark} ${plainLine(need)} ${paint('faint', plainLine(`${how} (${pointer})`, 300))}`
}
