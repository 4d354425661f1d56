import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, test } from 'node:test'
import type { Issue } from '../../src/document/issue.ts'
import { readDocument } from '../../src/document/read-document.ts'
import { agentDefinitionRules } from '../../src/spec/aaif/agent.catalogue.ts'
import { handoffStreamRules } from '../../src/spec/aaif/handoff-stream.catalogue.ts'
import { platformManifestRules } from '../../src/spec/aaif/manifest.catalogue.ts'
import { readHandoffStream } from '../../src/spec/aaif/read-handoff-stream.ts'
import { registryRules } from '../../src/spec/aaif/registry.catalogue.ts'
import { conformanceReportRules } from '../../src/spec/aaif/report.catalogue.ts'
import { agentStateRules } from '../../src/spec/aaif/state.catalogue.ts'
import { detectKind, type Kind } from '../../src/spec/kinds.ts'
import type { RuleEntry } from '../../src/spec/rule-entry.ts'
import { validatorOf } from '../../src/spec/validator-of.ts'

const corpus = join(import.meta.dirname, '../conformance')

const CATALOGUES: Readonly<Partial<Record<Kind, readonly RuleEntry[]>>> = {
  'aaif.agent': agentDefinitionRules,
  'aaif.state': agentStateRules,
  'aaif.manifest': platformManifestRules,
  'aaif.conformance-report': conformanceReportRules,
  'aaif.registry': registryRules,
  'aaif.handoff-stream': handoffStreamRules,
}

function judge(file: string, kind: Kind): readonly Issue[] {
  const bytes = readFileSync(file)
  const stream = kind === 'aaif.handoff-stream'
  const read = stream ? readHandoffStream(bytes, { file }) : readDocument(bytes, { file })
  if (read.document === undefined) return read.issues
  if (!stream && !Array.isArray(read.document.value) && typeof read.document.value === 'object') {
    const found = detectKind(read.document.value)?.kind
    // Without its identifying members, the kind of an invalid document cannot be detected.
    if (file.includes('/valid/')) assert.equal(found, kind, `${basename(file)} is detected by its shape`)
  }
  return validatorOf(kind)(read.document)
}

const errorsOf = (issues: readonly Issue[]) => issues.filter(({ severity }) => severity === 'error')

for (const [name, rules] of Object.entries(CATALOGUES)) {
  const kind = name as Kind
  const files = (part: string) => globSync(`${kind}/${part}/*`, { cwd: corpus }).sort()
  const known = new Map(rules.map((rule) => [rule.id, rule]))

  describe(`the corpus of ${kind}`, () => {
    test('valid documents have no errors', () => {
      assert.ok(files('valid').length >= 10)
      for (const file of files('valid')) assert.deepEqual(errorsOf(judge(join(corpus, file), kind)), [], file)
    })

    test('each invalid document breaks only the rule that its file name begins with', () => {
      assert.ok(files('invalid').length >= 20)
      for (const file of files('invalid')) {
        const errors = errorsOf(judge(join(corpus, file), kind))
        const broken = new Set(errors.map(({ rule }) => rule))
        assert.equal(broken.size, 1, `${file}: ${JSON.stringify(errors)}`)
        const [rule = ''] = broken
        assert.ok(rule !== undefined && basename(file).startsWith(`${rule}-`), `${file}: ${rule}`)
        assert.ok(
          errors.every(({ hint }) => hint !== undefined),
          `${file}: has a hint`,
        )
      }
    })

    test('every rule and code reported for the corpus is in the catalogue', () => {
      for (const file of [...files('valid'), ...files('invalid')]) {
        for (const { rule, code, severity } of judge(join(corpus, file), kind)) {
          const entry = known.get(rule ?? '')
          assert.ok(entry, `${file}: ${rule} ${code}`)
          assert.ok(entry.codes.includes(code), `${file}: ${rule} lists ${code}`)
          assert.ok(rank[severity] <= rank[entry.severity], `${file}: ${rule} is at most ${entry.severity}`)
        }
      }
    })
  })
}

const rank = { info: 0, warning: 1, error: 2 } as const
