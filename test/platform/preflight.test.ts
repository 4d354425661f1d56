import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { hostManifest } from '../../src/plan/host-manifest.ts'
import { HANDOFF_MEMBER, preflight } from '../../src/platform/moves/preflight.ts'

const PEER = { name: 'other', url: 'https://other.example', token: 't' } as Parameters<typeof preflight>[1]

/** Asks a platform with this member of its manifest, and returns the paths that were asked. */
async function asked(member: unknown, wss: boolean): Promise<readonly string[]> {
  const paths: string[] = []
  const manifest = hostManifest('1.0.0', '2026-11-24T09:00:00Z') as object
  const json = { ...manifest, ...(member !== undefined && { [HANDOFF_MEMBER]: member }) }
  const peers = {
    socket: () => Promise.reject(new Error('not used')),
    request: async (url: string) => {
      const { pathname } = new URL(url)
      paths.push(pathname)
      return { status: 200, text: JSON.stringify(pathname.endsWith('manifest.json') ? json : {}) }
    },
  }
  const parts = { peers, signal: AbortSignal.timeout(5000), definition: null, sendDefinition: async () => {} }
  const capture = { document: {} as never, report: { lossless: true, kept: [], entries: [] } as never }
  await preflight(parts, PEER, capture, { dryRun: false, failOnLoss: false, wss })
  return paths
}

describe('before a stream over a WebSocket', () => {
  test('the manifest of the other platform must offer it', async () => {
    const both = ['/.well-known/aaif-manifest.json', '/v1/states']
    assert.deepEqual(await asked(['https', 'wss'], true), both)
    for (const member of [undefined, [], ['https'], 'wss', { wss: true }])
      await assert.rejects(asked(member, true), { code: 'MOVE_REFUSED' }, JSON.stringify(member))
  })

  test('a stream over HTTPS does not need it', async () => {
    assert.deepEqual(await asked(undefined, false), ['/v1/states'])
  })
})

describe('what was not examined', () => {
  /** Asks a platform that answers so to a dry run of the state. */
  const ask = (status: number, answer: object, options: { dryRun: boolean; failOnLoss: boolean }) => {
    const manifest = hostManifest('1.0.0', '2026-11-24T09:00:00Z') as object
    const peers = {
      request: async (url: string) =>
        url.endsWith('manifest.json')
          ? { status: 200, text: JSON.stringify(manifest) }
          : { status, text: JSON.stringify(answer) },
    }
    const definition = { sc_standard: 'SC-006', agent: { name: 'A', goal: 'g' } } as never
    const parts = { peers, signal: AbortSignal.timeout(5000), definition, sendDefinition: async () => {} }
    const summary = { kept: 0, carried: 0, approximated: 0, left_behind: 0 }
    const capture = { document: {} as never, report: { entries: [], summary } as never }
    return preflight(parts, PEER, capture, options)
  }
  const unknown = { code: 'AGENT_NOT_FOUND', detail: 'no' }
  const report = {
    entries: [{ part: '/x', status: 'kept' }],
    summary: { kept: 1, carried: 0, approximated: 0, left_behind: 0 },
  }

  test('is reported: the platform does not know the definition, or its answer has no report', async () => {
    const first = await ask(404, unknown, { dryRun: true, failOnLoss: false })
    assert.deepEqual([first.examined, first.sendsDefinition], [false, true])
    const second = await ask(200, {}, { dryRun: true, failOnLoss: false })
    assert.deepEqual([second.examined, second.sendsDefinition], [false, false])
    const third = await ask(200, { report }, { dryRun: true, failOnLoss: true })
    assert.deepEqual([third.examined, third.report.summary.kept], [true, 1])
  })

  test('is refused with fail_on_loss: it is not the same as no loss', async () => {
    const code = { code: 'MOVE_NOT_EXAMINED' }
    await assert.rejects(ask(404, unknown, { dryRun: true, failOnLoss: true }), code)
    for (const dryRun of [true, false]) await assert.rejects(ask(200, {}, { dryRun, failOnLoss: true }), code)
  })
})
