import { WaybillError } from '../../src/document/issue.ts'
import type { Moves, Peers, PeerView } from '../../src/platform/moves/move.ts'
import type { Principal } from '../../src/session/principal.ts'

const missing = (code: 'PEER_NOT_FOUND' | 'RUN_NOT_FOUND' | 'MOVE_NOT_FOUND') =>
  new WaybillError(code, { fault: 'usage', message: 'not known' })

/** The pinned platforms of one organisation. */
export function fakePeers(peers: Map<string, PeerView>, { user }: Principal): Peers {
  const self = {
    url: 'https://waybill.test',
    organisation: 'acme',
    keys: { keys: [{ kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' }] },
  }
  return {
    self: async () => self,
    async enrol() {
      return this.set({ name: `${user}-machine`, keys: {}, users: { [user]: user } })
    },
    invite: async ({ name }) => ({
      ...self,
      name,
      token: 'wbt_invite',
      expires_at: '2026-01-02T00:00:00.000Z',
    }),
    async join({ url, organisation }) {
      return { peer: await this.set({ name: 'joined', url, organisation, keys: {} }), token: 'wbt_receive' }
    },
    list: async () => ({ items: [...peers.values()] }),
    async set({ name, url, organisation = 'acme', users = {}, token, personal_data = false, ...names }) {
      const view: PeerView = {
        name,
        url: url ?? null,
        organisation: url === undefined ? null : organisation,
        keys: [],
        users,
        has_token: token !== undefined,
        personal_data,
        profile: names.profile ?? 'full',
        source_platforms: names.source_platforms ?? [],
        created_at: '2026-01-01T00:00:00.000Z',
        created_by: user,
      }
      peers.set(name, view)
      return view
    },
    async remove(name) {
      if (!peers.delete(name)) throw missing('PEER_NOT_FOUND')
    },
  }
}

/** Moves nothing: no other platform is known. */
export function fakeMoves(runs: ReadonlyMap<string, unknown>, migrations: Set<string>): Moves {
  const refused = {
    state: 'refused',
    owner: null,
    run_id: null,
    place: 'https://waybill.test/organisations/default',
  } as const
  return {
    async state(runId) {
      if (!runs.has(runId)) throw missing('RUN_NOT_FOUND')
      return {
        sc_standard: 'SC-006',
        state_id: '0198c0de-0000-4000-8000-000000000001',
        agent_id: '0198c0de-0000-7000-8000-000000000001',
        checkpoint_at: '2026-11-24T00:00:00.000Z',
        status: 'paused',
      }
    },
    async receipts(runId) {
      if (!runs.has(runId)) throw missing('RUN_NOT_FOUND')
      return '{"type":"receipts.end"}\n'
    },
    async start(runId) {
      throw missing(runs.has(runId) ? 'PEER_NOT_FOUND' : 'RUN_NOT_FOUND')
    },
    async confirm(runId) {
      throw missing(runs.has(runId) ? 'MOVE_NOT_FOUND' : 'RUN_NOT_FOUND')
    },
    async takeBack(runId) {
      throw missing(runs.has(runId) ? 'MOVE_NOT_FOUND' : 'RUN_NOT_FOUND')
    },
    async read(jti) {
      if (!migrations.has(jti)) throw missing('MOVE_NOT_FOUND')
      return refused
    },
    arrivals: async () => ({ items: [], next: null }),
    async withdraw(jti) {
      migrations.add(jti)
      return refused
    },
    async receiveStream(input) {
      for await (const _part of input);
      throw new WaybillError('HANDOFF_FAILED', { message: 'not continued' })
    },
    async fetch() {
      throw missing('MOVE_NOT_FOUND')
    },
    async report() {
      throw missing('MOVE_NOT_FOUND')
    },
    async receive() {
      throw new WaybillError('STATE_CHECKSUM_MISSING', { message: 'not verified' })
    },
  }
}
