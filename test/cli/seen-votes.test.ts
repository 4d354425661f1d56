import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Io } from '../../src/cli/io.ts'
import { main } from '../../src/cli/main.ts'
import type { JsonObject } from '../../src/document/json.ts'

const RUN = '01a1ffb2-0000-7000-8000-000000000001'
const OWN = `sha256:${'1'.repeat(64)}`
const EDITED = `sha256:${'2'.repeat(64)}`
const VOTE = {
  by: 'ben',
  at: '2026-12-01T09:20:00.000Z',
  verdict: 'edit',
  digest: EDITED,
  arguments: { amount: 50 },
}
const QUESTION = {
  id: 'q1',
  run_id: RUN,
  call_id: 'c1',
  tool: 'pay',
  arguments: { amount: 500 },
  digest: OWN,
  policy: 'payments',
}

/** A server with one question that has these votes. @returns what was decided */
async function place(t: TestContext, given: readonly JsonObject[]) {
  const decided: JsonObject[] = []
  const question = { ...QUESTION, votes: { needed: 2, given } }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    if (request.method === 'POST') decided.push(JSON.parse(Buffer.concat(chunks).toString()))
    const items = request.url?.startsWith('/v1/runs')
      ? [{ run_id: RUN, status: 'awaiting_approval' }]
      : [question]
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(request.method === 'POST' ? QUESTION : { items, next: null }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const home = mkdtempSync(join(tmpdir(), 'waybill-votes-'))
  t.after(() => {
    server.close()
    rmSync(home, { recursive: true, force: true })
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  /** @param keys typed when the terminal asks; absent: there is no terminal */
  const approve = async (more: readonly string[] = [], keys?: string, where = ['--server', url]) => {
    decided.length = 0
    let err = ''
    const stdin = Object.assign(new PassThrough(), { isTTY: keys !== undefined, setRawMode: () => {} })
    const io: Io = {
      cwd: home,
      env: { WAYBILL_HOME: join(home, '.waybill'), WAYBILL_TOKEN: 'token' },
      out: () => {},
      err: (text) => {
        if (text.includes('Which arguments') && !err.includes('Which arguments'))
          void press(stdin, (keys ?? '').split(' '))
        err += text
      },
      stdin,
      outIsTty: keys !== undefined,
      errIsTty: keys !== undefined,
      color: false,
    }
    const code = await main(['approvals', 'approve', RUN, ...where, ...more], io)
    return { code, err, decided: decided.map(({ verdict, digest }) => [verdict, digest]) }
  }
  return { approve }
}

/** Presses keys, and Enter when the keys before it have rested long enough. */
async function press(stdin: PassThrough, keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    await sleep(key === '\r' ? 1000 : 5)
    stdin.write(key)
  }
}

const UP = '\u001b[A'

describe('waybill approvals approve, on a server', () => {
  it('approves what was seen; votes for edited arguments are shown, and a person chooses', async (t) => {
    const { approve } = await place(t, [VOTE])
    const silent = await approve()
    assert.deepEqual([silent.code, silent.decided], [1, []])
    assert.match(silent.err, /APPROVAL_VOTED_OTHERWISE/)
    for (const digest of [OWN, EDITED]) assert.ok(silent.err.includes(`--digest ${digest}`), silent.err)
    for (const digest of [OWN, EDITED])
      assert.deepEqual((await approve(['--digest', digest])).decided, [['approve', digest]])
    // The last of three choices is selected first: an Enter decides nothing.
    for (const [keys, code, decided] of [
      ['\r', 4, []],
      [`${UP} \r`, 0, [['approve', OWN]]],
      [`${UP} ${UP} \r`, 0, [['approve', EDITED]]],
    ] as const) {
      const asked = await approve([], keys)
      assert.deepEqual([asked.code, asked.decided], [code, decided], asked.err)
      assert.match(asked.err, /policy +payments\n +votes +1 of 2 votes: ben edit {"amount":50}/)
    }
  })

  it('asks nothing if all votes are for the arguments of the model', async (t) => {
    for (const given of [[], [{ by: 'ben', at: VOTE.at, verdict: 'approve', digest: OWN }]]) {
      const { approve } = await place(t, given)
      const { code, decided } = await approve([], '\r')
      assert.deepEqual([code, decided], [0, [['approve', OWN]]])
    }
  })

  it('refuses a digest where there are no votes', async (t) => {
    const { approve } = await place(t, [])
    const { code, err } = await approve(['--digest', EDITED], undefined, ['--local'])
    assert.deepEqual([code, /--digest names what others/.test(err)], [2, true], err)
  })
})
