import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readPage, root } from '../house/docs-fences.ts'
import type { Category } from './attack.ts'
import { approvals } from './cases/approvals.ts'
import { audit } from './cases/audit.ts'
import { auditKey } from './cases/audit-key.ts'
import { beyond } from './cases/beyond.ts'
import { bodies } from './cases/bodies.ts'
import { budgets } from './cases/budgets.ts'
import { chat } from './cases/chat.ts'
import { destinations } from './cases/destinations.ts'
import { disguise } from './cases/disguise.ts'
import { exhaustion } from './cases/exhaustion.ts'
import { extensions } from './cases/extensions.ts'
import { files } from './cases/files.ts'
import { grantUses } from './cases/grant-uses.ts'
import { grants } from './cases/grants.ts'
import { identity } from './cases/identity.ts'
import { injection } from './cases/injection.ts'
import { judge } from './cases/judge.ts'
import { keys } from './cases/keys.ts'
import { members } from './cases/members.ts'
import { moving } from './cases/moving.ts'
import { pii } from './cases/pii.ts'
import { pinnedTools } from './cases/pinned-tools.ts'
import { rebinding } from './cases/rebinding.ts'
import { residency } from './cases/residency.ts'
import { reviewedPlans } from './cases/reviewed-plans.ts'
import { secrets } from './cases/secrets.ts'
import { sources } from './cases/sources.ts'
import { ssrf } from './cases/ssrf.ts'
import { stripping } from './cases/stripping.ts'
import { telemetry } from './cases/telemetry.ts'
import { tenants } from './cases/tenants.ts'
import { watched } from './cases/watch.ts'

/** In the order of the table, each with the least that it must hold. */
const CATEGORIES: readonly (readonly [category: Category, least: number])[] = [
  [stripping, 20],
  [injection, 36],
  [ssrf, 25],
  [secrets, 20],
  [keys, 10],
  [audit, 12],
  [approvals, 10],
  [grants, 10],
  [grantUses, 20],
  [destinations, 40],
  [pii, 10],
  [pinnedTools, 10],
  [residency, 8],
  [reviewedPlans, 18],
  [disguise, 20],
  [budgets, 7],
  [files, 30],
  [identity, 12],
  [sources, 30],
  [auditKey, 16],
  [bodies, 30],
  [chat, 20],
  [extensions, 40],
  [judge, 30],
  [rebinding, 25],
  [telemetry, 20],
  [watched, 10],
  [tenants, 60],
  [members, 18],
  [exhaustion, 28],
  [moving, 30],
  [beyond, 10],
]

const BEGIN = '<!-- attacks -->\n'
const END = '<!-- /attacks -->'

/** The table as it must be in the page, its columns as wide as their widest cells. */
function table(): string {
  const rows = CATEGORIES.map(([{ name, attacks, enforced, file }]) => [
    name,
    String(attacks.length),
    enforced,
    `\`${file}\``,
  ])
  const total = CATEGORIES.reduce((sum, [{ attacks }]) => sum + attacks.length, 0)
  const all = [
    ['Category', 'Attacks', 'Where they are stopped', 'Test'],
    ...rows,
    ['**All**', `**${total}**`, '', ''],
  ]
  const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((row) => (row[column] as string).length)))
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] as number)).join(' | ')} |`
  const [head = [], ...body] = all
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line), ''].join('\n')
}

test('docs/security.md counts the attacks as they are', () => {
  const page = readPage('docs/security.md')
  const from = page.indexOf(BEGIN)
  const to = page.indexOf(END)
  assert.ok(from >= 0 && to > from, 'the marks around the table are missing')
  assert.equal(page.slice(from + BEGIN.length, to).trim(), table().trim(), `it must be:\n${table()}`)
})

test('each category has its attacks and a control, and there are at least 150', () => {
  for (const [{ name, attacks, controls, file }, least] of CATEGORIES) {
    assert.ok(attacks.length >= least, `${name}: ${attacks.length} of ${least}`)
    assert.ok(controls.length > 0, `${name}: nothing shows that its attacks could get through`)
    assert.ok(existsSync(join(root, file)), file)
  }
  assert.ok(CATEGORIES.reduce((sum, [{ attacks }]) => sum + attacks.length, 0) >= 150)
})

test('no attack is counted twice', () => {
  const attacks = CATEGORIES.flatMap(([category]) => category.attacks)
  for (const words of [attacks.map(({ id }) => id), attacks.map(({ attack, by }) => `${attack}, by ${by}`)])
    assert.deepEqual(
      words.filter((one, index) => words.indexOf(one) !== index),
      [],
    )
})
