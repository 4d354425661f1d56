import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { findInheritedNames } from './inherited-names.ts'
import { KNOWN_NAMES } from './known-names.ts'

const ROOT = join(import.meta.dirname, '../..')

test('an object is asked for a name from outside with ownMember or Object.hasOwn, or the name is known', () => {
  const found: Record<string, string[]> = {}
  for (const { file, line, text } of findInheritedNames(
    join(ROOT, 'tsconfig.build.json'),
    join(ROOT, 'src'),
  )) {
    found[file] ??= []
    found[file].push(`${file}:${line}: ${text}`)
  }
  for (const [file, lookups] of Object.entries(found)) {
    const [allowed = 0] = (Object.hasOwn(KNOWN_NAMES, file) && KNOWN_NAMES[file]) || []
    assert.ok(
      lookups.length <= allowed,
      `use ownMember(record, name), or add the place to test/house/known-names.ts:\n${lookups.join('\n')}`,
    )
  }
  for (const [file, [allowed]] of Object.entries(KNOWN_NAMES))
    assert.equal(found[file]?.length ?? 0, allowed, `${file} has fewer places than test/house/known-names.ts`)
})

/** Each line, and whether it reads a member that it may only have inherited. */
const LINES: readonly (readonly [line: string, inherited: boolean])[] = [
  ['export const a = (r: Record<string, number>, n: string) => r[n]', true],
  ['export const b = (r: Record<string, number>, n: string) => r[n + "x"]', true],
  ['export const c = (r: Record<string, number> | undefined, n: string) => r?.[n]', true],
  ['export const d = (r: { x: Record<string, number> }, n: string) => r.x[n]', true],
  ['export function e<N extends string>(r: Record<string, number>, n: N) { return r[n] }', true],
  ['export const f = (r: Record<string, number>, n: string) => { r[n] ??= 1 }', true],
  ["export const g = (r: Record<string, number>) => r['x']", false],
  ["export const h = (r: Record<string, number>, n: 'x' | 'y') => r[n]", false],
  ['export const i = (r: readonly number[], n: number) => r[n]', false],
  ['export const j = (r: Record<string, number>, n: string) => (Object.hasOwn(r, n) ? r[n] : 0)', false],
  ['export const k = (r: Record<string, number>) => Object.keys(r).map((n) => r[n])', false],
  ['export const l = (r: Record<string, number>, n: string) => { r[n] = 1 }', false],
  ["export const m = (r: Record<'x' | 'y', number>, n: 'x') => r[n]", false],
]

test('the rule finds each kind of look-up, and leaves out names that are known', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-names-'))
  t.after(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'src'))
  writeFileSync(join(folder, 'src/lines.ts'), LINES.map(([line]) => `${line}\n`).join(''))
  const compilerOptions = { strict: true, target: 'es2024', module: 'nodenext', types: [], noEmit: true }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }))
  const found = findInheritedNames(join(folder, 'tsconfig.json'), join(folder, 'src'))
  assert.deepEqual(
    found.map(({ line }) => LINES[line - 1]?.[0]),
    LINES.filter(([, inherited]) => inherited).map(([line]) => line),
  )
})
