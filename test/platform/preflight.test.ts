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
