import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { PlannedModel } from '../../src/plan/plan.ts'
import { openRouteFile } from '../../src/settings/route-file.ts'

const route = (model: string, base_url?: string): PlannedModel => ({
  provider: 'openai',
  model,
  eligible: true,
  ...(base_url !== undefined && { base_url }),
})
const A = route('a')
const NOW = 1_800_000_000_000

function home(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-routes-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return { env: { WAYBILL_HOME: join(folder, 'home') }, path: join(folder, 'home/routes.json') }
}

test('another process knows the medians, the dead routes and whose turn it is', (t) => {
  const { env, path } = home(t)
  const first = openRouteFile(env)
  first.board.asked(A, NOW)
  for (const ms of [30, 10, 20]) first.board.answered(A, ms, NOW)
  for (let i = 0; i < 3; i++) first.board.failed(route('b'), { kind: 'timeout' }, NOW)
  assert.equal(existsSync(path), false)
  first.save()
  assert.equal(statSync(path).mode & 0o777, 0o600)
  assert.deepEqual(openRouteFile(env).board.read([A, route('b'), route('c')], NOW), [
    { turn: 1, failures: 0, p50_ms: 20 },
    { turn: 0, failures: 3, closed_until: NOW + 60_000 },
    { turn: 0, failures: 0 },
  ])
})

test('processes that write at the same time lose nothing of one another', (t) => {
  const { env } = home(t)
  const one = openRouteFile(env)
  const two = openRouteFile(env)
  one.board.answered(A, 10, NOW)
  two.board.answered(A, 30, NOW + 1)
  two.board.answered(route('b'), 5, NOW)
  one.save()
  two.save()
  const [a, b] = openRouteFile(env).board.read([A, route('b')], NOW + 2)
  assert.equal(a?.p50_ms, 10)
  assert.equal(b?.p50_ms, 5)
})

test('the file stays small, however many routes and answers there are', (t) => {
  const { env, path } = home(t)
  const { board, save } = openRouteFile(env)
  for (let i = 0; i < 300; i++) board.answered(route(`model-${i}`), 1, NOW + i)
  for (let i = 0; i < 300; i++) board.answered(A, i, NOW + 1000 + i)
  save()
  const { routes } = JSON.parse(readFileSync(path, 'utf8')) as { routes: Record<string, { answers: [] }> }
  assert.equal(Object.keys(routes).length, 200)
  assert.equal(routes['openai/a']?.answers.length, 32)
  assert.equal(routes['openai/model-0'], undefined, 'the one seen longest ago went first')
})

test('a file that cannot be read counts as empty, and is mended by the next writing', (t) => {
  const { env, path } = home(t)
  const fresh = openRouteFile(env)
  fresh.board.answered(A, 1, NOW)
  fresh.save()
  for (const text of ['{"v":1,"routes":{"openai/a":{"at":"x"}}}', '{"v":1', '[]', '{"v":1,"routes":7}']) {
    writeFileSync(path, text)
    const { board, save } = openRouteFile(env)
    assert.deepEqual(board.read([A], NOW), [{ turn: 0, failures: 0 }], text)
    board.answered(A, 7, NOW)
    save()
    assert.equal(openRouteFile(env).board.read([A], NOW)[0]?.p50_ms, 7)
  }
})

test('of an address only the place is kept', (t) => {
  const { env, path } = home(t)
  const { board, save } = openRouteFile(env)
  board.answered(route('a', 'https://me:hidden@gateway.example/v1?key=hidden'), 1, NOW)
  save()
  const text = readFileSync(path, 'utf8')
  assert.ok(text.includes('openai/a at gateway.example/v1'))
  assert.ok(!text.includes('hidden'))
})

test('yesterday’s answers say nothing about today: the route counts as not observed', (t) => {
  const { board } = openRouteFile(home(t).env)
  board.answered(A, 10, NOW)
  assert.equal(board.read([A], NOW + 86_399_999)[0]?.p50_ms, 10)
  assert.equal(board.read([A], NOW + 86_400_000)[0]?.p50_ms, undefined)
})
