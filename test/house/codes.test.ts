import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { CodeEntry } from '../../src/document/codes/code-entry.ts'
import type { AnyCode, Code } from '../../src/document/codes.ts'
import { CODE_AREAS } from '../../src/document/codes.ts'
import { type Issue, WaybillError } from '../../src/document/issue.ts'
import type { Unmet } from '../../src/plan/degradations/unmet.ts'
import type { PlannedModel } from '../../src/plan/plan.ts'
import { ModelFailure, ToolFailure } from '../../src/run/ports.ts'
import type { RunWarning } from '../../src/run/state.ts'
import { firstCells, readPage, root } from './docs-fences.ts'

/** Codes of the catalogue that no source emits yet. The list may only shrink. */
const NOT_YET_EMITTED: readonly Code[] = []

const entries: readonly (readonly [string, CodeEntry])[] = CODE_AREAS.flatMap(({ codes }) =>
  Object.entries(codes),
)

/** The sources without the catalogue, by path. */
const sources: ReadonlyMap<string, string> = new Map(
  globSync('src/**/*.ts', { cwd: root })
    .filter((file) => !/\/generated\/|^src\/document\/codes(\/|\.ts$)/.test(file))
    .map((file) => [file, readFileSync(join(root, file), 'utf8')]),
)

/** Every quoted word in capitals in the sources, comments aside. */
function quotedWords(): ReadonlySet<string> {
  const found = new Set<string>()
  for (const source of sources.values()) {
    const code = source.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
    for (const [, word = ''] of code.matchAll(/'([A-Z][A-Z0-9_]+)'/g)) found.add(word)
  }
  return found
}

test('every code of the catalogue is emitted somewhere in the sources', () => {
  const used = quotedWords()
  const dead = entries.map(([code]) => code).filter((code) => !used.has(code))
  assert.deepEqual(
    dead.sort(),
    [...NOT_YET_EMITTED].sort(),
    'remove a code that is gone from the catalogue, and one that is emitted now from NOT_YET_EMITTED',
  )
})

test('no code is in two areas of the catalogue', () => {
  const codes = entries.map(([code]) => code)
  assert.deepEqual(
    codes.filter((code, index) => codes.indexOf(code) !== index),
    [],
  )
})

test('every code has a meaning and a remedy, each of whole sentences on one line', () => {
  const wrong = entries.flatMap(([code, { meaning, remedy }]) =>
    [meaning, remedy].filter((text) => !/^[^\n]+\.$/.test(text)).map((text) => `${code}: ${text}`),
  )
  assert.deepEqual(wrong, [])
})

test('docs/codes.md lists the codes of the catalogue, in its order', () => {
  assert.deepEqual(
    firstCells(readPage('docs/codes.md')),
    entries.map(([code]) => code),
  )
})

test('only the server, which needs the statuses, loads the catalogue: other sources import its types', () => {
  const others = [...sources].filter(([file]) => file !== 'src/http/status-of-code.ts')
  const loads = others.flatMap(([file, source]) =>
    [...source.matchAll(/^(?:import|export)\b[^;'"]*?from '([^']*)'|\bimport\('([^']*)'\)/gm)]
      .filter(([, from = '', lazily = '']) => /\/codes(\.ts$|\/)/.test(from || lazily))
      .filter(([statement]) => !/^(import|export) type\b/.test(statement))
      .map(([statement]) => `${file}: ${statement}`),
  )
  assert.deepEqual(loads, [])
})

/** The type checker holds this test: a comment that expects an error fails `npm run typecheck` when there is none. */
test('a code that is not in the catalogue is a type error', () => {
  const code = 'HOME_UNREDABLE'
  const details = { message: 'it is misspelt' }
  // @ts-expect-error: a misspelt code of an error
  assert.ok(new WaybillError('HOME_UNREDABLE', details))
  // @ts-expect-error: any text as the code of an error
  assert.ok(new WaybillError(String(code), details))
  // @ts-expect-error: a misspelt code of a model's failure
  assert.ok(new ModelFailure('route', 'MODEL_KEY_MISING', 'it is misspelt'))
  // @ts-expect-error: a misspelt code of a tool's failure
  assert.ok(new ToolFailure('TOOL_TIMEOUTS', 'it is misspelt', 'unknown'))
  // @ts-expect-error: a misspelt code of a finding
  const issue: Pick<Issue, 'code'> = { code: 'JSON_SINTAX' }
  // @ts-expect-error: a misspelt code of a warning
  const warning: RunWarning = { code: 'DEGRADE', message: 'it is misspelt' }
  // @ts-expect-error: a misspelt code of a route's reason
  const route: Pick<PlannedModel, 'reason_code'> = { reason_code: 'PRICE_UNKOWN' }
  // @ts-expect-error: a misspelt code of an unmet feature
  const unmet: Pick<Unmet, 'code'> = { code: 'FEATURE_UNMETT' }
  // @ts-expect-error: a literal is not a code from outside
  const outside: AnyCode = 'SQL_REFUSED'
  assert.ok(issue && warning && route && unmet && outside)
})

test('an extension gives its failures codes of its own', () => {
  assert.equal(new ToolFailure<string>('SQL_REFUSED', 'no', 'answered').code, 'SQL_REFUSED')
  assert.equal(new ModelFailure<string>('route', 'NO_PERCH', 'no').code, 'NO_PERCH')
})
