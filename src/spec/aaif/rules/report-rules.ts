import type { Finding } from '../../../document/finding.ts'
import type { Schema } from '../../schema-builder.ts'
import { conformanceReportSchema } from '../conformance-report.schema.ts'
import type { Claim, ConformanceReport } from '../generated/conformance-report.ts'
import { checkExtensionNames } from './extensions.ts'
import { checkAddress, checkOrder, checkTime } from './format-checks.ts'

export function* checkReportFormats({ report, platform, claims }: ConformanceReport): Iterable<Finding> {
  yield* checkTime('/report/generated_at', report.generated_at)
  yield* checkTime('/report/expires_at', report.expires_at)
  yield* checkOrder(
    ['/report/generated_at', report.generated_at],
    ['/report/expires_at', report.expires_at],
    'SPEC-U-05',
  )
  yield* checkAddress('/report/report_url', report.report_url)
  yield* checkAddress('/platform/manifest_url', platform.manifest_url)
  yield* checkAddress('/platform/homepage', platform.homepage)
  for (const [index, { test_suite }] of claims.entries()) {
    yield* checkTime(`/claims/${index}/test_suite/ran_at`, test_suite.ran_at)
    yield* checkAddress(`/claims/${index}/test_suite/log_url`, test_suite.log_url)
  }
}

/** Checks that a consumer that claims Stateful also claims Enterprise (§6). */
export function* checkSkippedLevels({ claims }: ConformanceReport): Iterable<Finding> {
  const consumes = ({ direction }: Claim) => direction !== 'producer'
  if (claims.some((claim) => claim.level === 'Enterprise' && consumes(claim))) return
  for (const [index, claim] of claims.entries()) {
    if (claim.level !== 'Stateful' || !consumes(claim)) continue
    yield {
      severity: 'warning',
      code: 'CLAIM_SKIPS_LEVEL',
      pointer: `/claims/${index}/level`,
      message: 'Stateful is claimed as a consumer, but Enterprise is not',
      hint: 'claim Enterprise as well: Stateful extends it',
      rule: 'AAIF-6-12',
    }
  }
}

/** Finds claims that contradict themselves or each other. */
export function* checkClaims({ claims }: ConformanceReport): Iterable<Finding> {
  const made = new Map<string, number>()
  for (const [index, { level, direction, test_suite }] of claims.entries()) {
    const { passed, total } = test_suite
    if (passed > total) {
      yield {
        severity: 'warning',
        code: 'CLAIM_IMPOSSIBLE',
        pointer: `/claims/${index}/test_suite/passed`,
        message: `${passed} of ${total} tests passed: the numbers are impossible`,
        hint: 'correct "passed" or "total"',
        rule: 'AAIF-6-13',
      }
    }
    for (const one of direction === 'both' ? ['producer', 'consumer'] : [direction]) {
      const earlier = made.get(`${level} ${one}`)
      if (earlier === undefined) made.set(`${level} ${one}`, index)
      else if (earlier !== index) {
        yield {
          severity: 'warning',
          code: 'CLAIM_REPEATED',
          pointer: `/claims/${index}`,
          message: `claim ${earlier} already claims ${level} as ${one}`,
          hint: 'make one claim for each level and direction',
          rule: 'AAIF-6-13',
        }
      }
    }
  }
}

const MEMBERS: ReadonlySet<string> = new Set(
  Object.keys((conformanceReportSchema as Schema).properties as object),
)

export function checkReportExtensions(report: ConformanceReport): Iterable<Finding> {
  return checkExtensionNames(report, MEMBERS)
}
