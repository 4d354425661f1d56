import { defined } from '../../document/defined.ts'
import type { Json } from '../../document/json.ts'
import { itemsAt, memberOf, objectAt, textAt } from '../../spec/loose-members.ts'
import { fact, type Inspection, type Line, section } from './inspection.ts'

/** Describes the conformance that a platform claims, with the test results of each claim. */
export function inspectReport(value: Json): Inspection {
  const platform = objectAt(value, 'platform')
  const report = objectAt(value, 'report')
  const claims = itemsAt(value, 'claims').map((claim) => {
    const suite = objectAt(claim, 'test_suite')
    return {
      level: textAt(claim, 'level') ?? '?',
      direction: textAt(claim, 'direction') ?? '?',
      corpus: textAt(suite, 'corpus') ?? '?',
      passed: Number(memberOf(suite, 'passed') ?? 0),
      total: Number(memberOf(suite, 'total') ?? 0),
    }
  })
  const facts = defined({
    name: textAt(platform, 'name'),
    version: textAt(platform, 'version'),
    generated_at: textAt(report, 'generated_at'),
    expires_at: textAt(report, 'expires_at'),
    attested_by: textAt(objectAt(value, 'attestation'), 'attested_by'),
    claims,
  })
  return {
    facts,
    headline: `conformance claims of ${facts.name ?? 'a platform'}`,
    sections: [
      section('Report', [
        fact('generated at', facts.generated_at),
        fact('expires', facts.expires_at),
        fact('attested by', facts.attested_by),
      ]),
      section(
        'Claims',
        claims.map(
          ({ level, direction, corpus, passed, total }): Line => ({
            mark: passed === total && total > 0 ? ['good', '✓'] : ['warn', '!'],
            text: `${level} as ${direction}`,
            note: `${passed} of ${total}: ${corpus}`,
          }),
        ),
      ),
    ],
  }
}
