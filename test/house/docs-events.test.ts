import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fencesOf, firstCells, readPage, root } from './docs-fences.ts'

const source = readFileSync(join(root, 'src/run/event.ts'), 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '')
const page = readPage('docs/events.md')

/** The members of each type of fact, by the union in the source. */
function factsInSource(): ReadonlyMap<string, readonly string[]> {
  const union = /export type Fact =([\s\S]*?)\n\n/.exec(source)?.[1] ?? ''
  const variants = union.split(/readonly type: '/).slice(1)
  return new Map(
    variants.map((variant) => [variant.slice(0, variant.indexOf("'")), membersOf(variant)] as const),
  )
}

function membersOf(text: string): readonly string[] {
  return [...text.matchAll(/readonly (\w+)\??:/g)].map(([, name = '']) => name)
}

test('docs/events.md has a section for each type of event in the source, and for no other', () => {
  const headings = [...page.matchAll(/^## ([a-z]+\.[a-z]+)$/gm)].map(([, name = '']) => name)
  const types = [...factsInSource().keys()]
  assert.ok(types.length > 5, 'the union was not found in src/run/event.ts')
  assert.deepEqual(headings, types)
})

test('docs/events.md lists the members of each type and of the decision', () => {
  for (const [type, members] of factsInSource())
    assert.deepEqual([...firstCells(page, type)].sort(), [...members].sort(), type)
  const decision = /export interface Decision \{([\s\S]*?)\n\}/.exec(source)?.[1] ?? ''
  const own = [...decision.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, name = '']) => name)
  assert.deepEqual([...firstCells(page, 'The decision')].sort(), own.sort())
})

test('the example in docs/events.md is what a rehearsal prints', () => {
  const [example] = fencesOf(page).filter(({ language }) => language === 'ndjson')
  const printed = rehearse()
  assert.deepEqual(
    Object.keys(JSON.parse(printed[0] ?? '{}'))
      .filter((name) => name !== 'input')
      .sort(),
    [...firstCells(page, 'Every event')].sort(),
  )
  assert.equal(example?.text.trimEnd(), printed.join('\n'))
})

function rehearse(): readonly string[] {
  const home = mkdtempSync(join(tmpdir(), 'waybill-events-'))
  try {
    const args = ['run', 'examples/parcel-clerk/clerk.yaml', '--rehearse', '--events', 'ndjson']
    const child = spawnSync(join(root, 'bin/waybill'), [...args, '--input', 'Where is 1Z999AA1?'], {
      cwd: root,
      env: { ...process.env, WAYBILL_HOME: home },
      encoding: 'utf8',
    })
    assert.equal(child.status, 0, child.stderr)
    return child.stdout.trimEnd().split('\n').map(steady)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/** The line without what differs from one run to the next. */
function steady(line: string): string {
  return line
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '01a1ffb2-5c00-7000-8000-000000000000')
    .replaceAll(/"at":"[^"]*"/g, '"at":"2026-12-01T09:00:00.000Z"')
    .replaceAll(/"deadline_at":\d+/g, '"deadline_at":1796115660000')
    .replaceAll(/"latency_ms":\d+/g, '"latency_ms":1')
}
