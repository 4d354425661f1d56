import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { noCertificates } from '../adapters/tls-front.ts'
import { until } from './leg-place.ts'
import { type MovingPlatform, movingSite } from './moving-site.ts'
import { AGENT, definitionOf } from './organisation.ts'

const agent = (base_url: string, members: object = {}, agent_id = AGENT) =>
  definitionOf(
    {
      version: '1.0.0',
      model: { provider: 'openai', preferred: 'gpt-4o', base_url },
      tools: [{ name: 'send', description: 'Sends.', parameters_schema: { type: 'object' } }],
      compliance: { human_in_the_loop: { enabled: true } },
      ...members,
    },
    { agent_id },
  )

/** Two platforms, and what a person does with their receipts. */
async function placeOf(t: TestContext) {
  const site = await movingSite(t)
  const { a, b } = site
  const file = (name: string) => join(a.home, name)
  const place = (platform: MovingPlatform) => `${platform.url}/organisations/default`
  const keysOf = async (platform: MovingPlatform, name: string): Promise<string> => {
    const { json } = await platform.send('GET', '/.well-known/jwks.json')
    writeFileSync(file(name), JSON.stringify(json))
    return file(name)
  }
  /** @param ms a worker whose lease has lapsed may still be sending what another one asks about */
  const isSentTo = async (to: string, ms: number): Promise<boolean> => {
    const isSent = async () => site.effects().includes(`send ${to}`)
    if (ms > 0) await until(isSent, ms).catch(() => {})
    return isSent()
  }
  return {
    ...site,
    file,
    place,
    keys: { a: await keysOf(a, 'a.jwks'), b: await keysOf(b, 'b.jwks') },
    /** Approves the question about this receiver. */
    async approve(platform: MovingPlatform, to: string) {
      const { items } = await platform.ok('GET', '/v1/approvals')
      const open = items.find((one: { arguments: { to: string } }) => one.arguments.to === to)
      assert.ok(open !== undefined, JSON.stringify(items))
      await platform.ok('POST', `/v1/approvals/${open.id}`, { verdict: 'approve' })
    },
    async asksFor(platform: MovingPlatform, run: string, to: string) {
      for (;;) {
        await platform.reaches(run, 'awaiting_approval')
        const { items } = await platform.ok('GET', '/v1/approvals')
        if (items.length === 1 && items[0].arguments.to === to) return
      }
    },
    /** Answers the questions about a receiver until the run asks none: also whether a call has taken effect. */
    async decides(platform: MovingPlatform, run: string, to: string) {
      for (let isOver = false; !isOver; ) {
        const { items } = await platform.ok('GET', '/v1/approvals')
        const open = items.find((one: { arguments: { to: string } }) => one.arguments.to === to)
        const isSent = await isSentTo(to, open?.asks === 'unknown' ? 3_000 : 0)
        const verdict = open?.asks !== 'unknown' ? 'approve' : isSent ? 'assume' : 'resend'
        // Another process may have taken the question in meanwhile.
        if (open !== undefined) await platform.send('POST', `/v1/approvals/${open.id}`, { verdict })
        else await setTimeout(50)
        isOver = isSent && open === undefined && (await platform.status(run)) !== 'running'
      }
    },
    async move(from: MovingPlatform, run: string, method: string): Promise<string> {
      const { json } = await from.send('POST', `/v1/runs/${run}/migrate`, { to: 'other', method })
      assert.equal(json.state, 'moved', JSON.stringify(json))
      return json.target_run_id
    },
    async exported(platform: MovingPlatform, run: string, name: string) {
      const { code, err } = await platform.command(['receipts', 'export', run, '-o', file(name)])
      assert.equal(code, 0, err)
      return file(name)
    },
    /** Verifies a file without a server. */
    async verified(path: string, ...keys: readonly string[]) {
      const more = keys.flatMap((key) => ['--keys', key])
      const { code, out, err } = await a.command(['receipts', 'verify', path, '--json', ...more], {
        WAYBILL_SERVER: '',
      })
      assert.ok(code === 0 || code === 1, err)
      return { code, ...JSON.parse(out) }
    },
  }
}

type Written = { key: string; verdict: string; host: string; sendings: readonly unknown[] }
const shown = (writes: readonly Written[]) =>
  writes.map(({ verdict, host, sendings }) => [verdict, host, sendings.length])

describe('receipts of a run that moves between two platforms', { skip: noCertificates }, () => {
  test('the file of the last host covers both, and is verified offline with the keys of both', async (t) => {
    const { a, b, baseUrl, effects, approve, asksFor, move, exported, verified, keys, place, file } =
      await placeOf(t)
    await a.upload(agent(baseUrl))
    const calls = ['ada', 'bob'].map((to) => ({ tool: 'send', to }))
    const begin = async () =>
      (await a.ok('POST', `/v1/agents/${AGENT}/runs`, { input: JSON.stringify({ calls }) })).run_id
    const first = await begin()
    await a.reaches(first, 'awaiting_approval')
    await approve(a, 'ada')
    await asksFor(a, first, 'bob')
    const second = await move(a, first, 'document')
    await asksFor(b, second, 'bob')
    const third = await move(b, second, 'stream')
    await asksFor(a, third, 'bob')
    const fourth = await move(a, third, 'document')
    await asksFor(b, fourth, 'bob')
    await approve(b, 'bob')
    await b.reaches(fourth, 'completed')
    assert.deepEqual(effects(), ['send ada', 'send bob'])
    const left = await exported(a, first, 'left.ndjson')
    const last = await exported(b, fourth, 'last.ndjson')

    const forked = (await b.ok('POST', '/v1/states', await stateOf(b, await paused(a, b)))).run_id
    const fork = await exported(b, forked, 'fork.ndjson')
    const shownRun = await b.command(['receipts', 'verify', fourth, '--keys', keys.a, '--keys', keys.b])
    assert.equal(shownRun.code, 0, shownRun.err)
    assert.match(
      shownRun.out,
      new RegExp(`^once {10}send · done · run ${first} · on ${place(a)} · key ${first}:`, 'm'),
    )
    assert.match(shownRun.err, /✓ 2 writes over 2 hosts: each was sent at most once; run .* completed\n$/)
    await Promise.all([a.closeServer(), b.closeServer()])

    const proven = await verified(last, keys.a, keys.b)
    assert.deepEqual([proven.code, proven.ok, proven.problems], [0, true, []])
    assert.deepEqual([proven.run_id, proven.status, proven.segments], [fourth, 'completed', 4])
    assert.deepEqual(proven.hosts, [place(a), place(b)])
    assert.deepEqual(shown(proven.writes), [
      ['once', place(a), 1],
      ['once', place(b), 1],
    ])
    assert.ok(
      proven.writes.every(({ key }: Written) => key.startsWith(`${first}:`)),
      'keys are kept',
    )

    const untrusted = await verified(last, keys.b)
    assert.deepEqual(
      [untrusted.code, untrusted.problems.map(({ code }: { code: string }) => code)],
      [1, ['RECEIPT_SIGNER', 'RECEIPT_SIGNER']],
      'the two segments of the other host',
    )
    const trusted = await a.command(['keys', 'trust', 'host-a', await oneKey(keys.a, file('a.jwk'))])
    assert.equal(trusted.code, 0, trusted.err)
    assert.equal((await verified(last, keys.b)).code, 0, 'a key of the trust store')

    const away = await verified(left, keys.a, keys.b)
    assert.deepEqual([away.code, away.problems.length, away.problems[0].code], [1, 1, 'RECEIPT_INCOMPLETE'])
    assert.match(away.problems[0].message, new RegExp(`moved to ${place(b)}, where it is run ${second}`))
    const lines = readFileSync(left, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    assert.deepEqual(
      lines.map(({ outcome }) => outcome),
      ['done', 'waiting', undefined],
    )
    assert.equal(lines[2].status, 'moved')
    assert.match(lines[2].to.jti, /^[0-9a-f-]{36}$/)

    const text = readFileSync(last, 'utf8')
    writeFileSync(last, text.replace('"outcome":"done"', '"outcome":"failed"'))
    const changed = await verified(last, keys.a, keys.b)
    assert.deepEqual([changed.code, changed.problems[0].code], [1, 'RECEIPT_CHANGED'])

    const ofFork = await verified(fork, keys.a, keys.b)
    assert.deepEqual([ofFork.code, ofFork.run_id], [0, forked], JSON.stringify(ofFork.problems))
    assert.deepEqual(
      ofFork.writes.map(({ of_origin, verdict }: { of_origin?: true; verdict: string }) => [
        of_origin,
        verdict,
      ]),
      [[undefined, 'waiting']],
    )

    /** Moves another run to b, whose question stays open. */
    async function paused(from: MovingPlatform, to: MovingPlatform): Promise<string> {
      const { run_id } = await from.ok('POST', `/v1/agents/${AGENT}/runs`, {
        input: JSON.stringify(calls[0]),
      })
      await from.reaches(run_id, 'awaiting_approval')
      const there = await move(from, run_id, 'document')
      await to.reaches(there, 'awaiting_approval')
      return there
    }
  })

  test('the receipts of sub-agents move along: of one that has ended, and of one that continues', async (t) => {
    const { a, b, baseUrl, effects, asksFor, decides, move, exported, verified, keys, place } =
      await placeOf(t)
    const id = (n: number) => `0198c0de-0000-7000-8000-00000000006${n}`
    const names = ['ada', 'bob']
    for (const [n, to] of names.entries())
      await a.upload(
        agent(baseUrl, { name: `Worker ${to}`, goal: `Call {"tool":"send","to":"${to}"}` }, id(n + 1)),
      )
    const orchestration = {
      subagents: names.map((alias, n) => ({ ref: id(n + 1), alias })),
      pipeline: names,
    }
    await a.upload(agent(baseUrl, { name: 'Head', tools: [], orchestration }, id(0)))
    const { run_id: first } = await a.ok('POST', `/v1/agents/${id(0)}/runs`, { input: 'go' })
    await decides(a, first, 'ada')
    await asksFor(a, first, 'bob')
    const second = await move(a, first, 'stream')
    await decides(b, second, 'bob')
    await b.reaches(second, 'completed')
    assert.deepEqual(effects(), ['send ada', 'send bob'])
    const last = await exported(b, second, 'last.ndjson')
    const proven = await verified(last, keys.a, keys.b)
    assert.deepEqual([proven.code, proven.problems, proven.segments], [0, [], 5])
    assert.deepEqual(
      proven.writes.map(({ host }: Written) => host),
      [place(a), place(b)],
    )
    const [first_worker] = readFileSync(last, 'utf8').split('\n')
    assert.equal(JSON.parse(first_worker ?? '').root_run_id, first)
  })
})

async function stateOf(platform: MovingPlatform, run: string): Promise<unknown> {
  return platform.ok('GET', `/v1/runs/${run}/state`)
}

/** Writes the first key of a set to a file. */
async function oneKey(set: string, file: string): Promise<string> {
  const { keys } = JSON.parse(readFileSync(set, 'utf8'))
  writeFileSync(file, JSON.stringify(keys[0]))
  return file
}
