import { defined } from '../../document/defined.ts'
import { WaybillError } from '../../document/issue.ts'
import { ADMINS, type Answer, type Call, OPERATORS, param, READERS, type Route } from '../../http/route.ts'
import { removed } from '../../http/schema.ts'
import type {
  ArrivalsQuestion,
  Enrolment,
  JoiningPeer,
  NewInvite,
  NewMove,
  NewPeer,
  ReceiveOptions,
} from '../../platform/moves/move.ts'
import { JOIN_SCOPE, RECEIVE_SCOPE } from '../../platform/moves/peer-invites.ts'
import type { Tenant } from '../../platform/platform.ts'
import type { Principal } from '../../session/principal.ts'
import type { AgentState } from '../../spec/aaif/generated/state.ts'
import { HANDOFF_TYPE } from '../../state/stream/streamed-state.ts'
import { stateDocument } from '../schemas/document-schemas.ts'
import {
  arrivalReport,
  arrivalsPage,
  arrivalsQuestion,
  confirmedMove,
  enrolment,
  joined,
  keptState,
  MAX_STATE_BYTES,
  MAX_STATE_VALUES,
  migrationView,
  moveView,
  newInvite,
  newMove,
  newPeer,
  peerInvite,
  peerList,
  peerSelf,
  peerView,
  received,
  receivedState,
} from '../schemas/move-schemas.ts'
import { document } from '../schemas/record-schemas.ts'
import { assertAsksForSocket } from '../sockets.ts'
import { tlsRequired } from '../state-channel.ts'

/** Where a streaming handoff arrives, as a request or over a WebSocket. */
export const HANDOFF_PATH = '/v1/handoff'

const ARRIVAL_QUERY: NonNullable<Route['query']> = {
  fail_on_loss: { type: 'boolean', description: 'Refuse a state of which a part would be lost.' },
  resume: {
    type: 'boolean',
    description:
      'Whether the run continues at once. Default: unless it was paused, and not only by the move that brings it.',
  },
  subagent: {
    type: 'boolean',
    description:
      'Whether the state is that of a sub-agent: it is kept until the state of its caller arrives from the same sender, which names it by `state_id`. Default: as `x-waybill` says; without it, true if its agent is a sub-agent of an agent here, it names no sub-agents itself, and `resume` is not given.',
  },
}

const KEPT = 'The state of a sub-agent, which waits for that of its caller.'

const WITH_TOKEN = 'a state with a migration token'

/** States of runs, and runs that move between platforms (AAIF §8). */
export const MOVE_ROUTES: readonly Route<Tenant>[] = [
  {
    method: 'GET',
    path: '/v1/runs/{run}/state',
    name: 'readState',
    summary: 'Returns the Agent State of a run.',
    tag: 'states',
    access: OPERATORS,
    failures: [426],
    answers: { 200: { description: 'The Agent State.', schema: document } },
    async handle(call) {
      if (!call.carriesStates) throw tlsRequired('an Agent State')
      return { status: 200, json: await call.tenant.moves.state(param(call, 'run')), signed: true }
    },
  },
  {
    method: 'GET',
    path: '/v1/runs/{run}/receipts',
    name: 'readReceipts',
    summary:
      'Returns the signed receipts of the writes of a run and of its sub-agents, on all hosts so far, like `waybill receipts export`.',
    tag: 'runs',
    access: READERS,
    answers: { 200: { description: 'The receipts.', mediaTypes: ['application/x-ndjson'] } },
    async handle(call) {
      const bytes = Buffer.from(await call.tenant.moves.receipts(param(call, 'run')))
      return { status: 200, bytes, mediaType: 'application/x-ndjson' }
    },
  },
  {
    method: 'POST',
    path: '/v1/states',
    name: 'receiveState',
    summary: 'Continues an Agent State: with a migration token as its owner, else as a fork.',
    tag: 'states',
    access: OPERATORS,
    alsoScope: RECEIVE_SCOPE,
    query: {
      dry_run: { type: 'boolean', description: 'Everything is verified, and nothing is stored.' },
      ...ARRIVAL_QUERY,
    },
    body: {
      kind: 'json',
      schema: { type: 'object' },
      described: stateDocument,
      maxBytes: MAX_STATE_BYTES,
      maxValues: MAX_STATE_VALUES,
      encodings: ['yaml', 'cbor'],
    },
    failures: [404, 409, 426],
    answers: {
      200: { description: 'What a dry run has found.', schema: received },
      201: { description: 'The run that continues the state.', schema: receivedState },
      202: { description: KEPT, schema: keptState },
    },
    handle: receive,
  },
  {
    method: 'GET',
    path: HANDOFF_PATH,
    name: 'openHandoff',
    summary:
      'Continues a state that arrives over a WebSocket (AAIF §8.3): each text message is a line of the handoff, and the last message of the server is the answer. Encrypted connections and bearer tokens only.',
    tag: 'states',
    access: OPERATORS,
    alsoScope: RECEIVE_SCOPE,
    query: ARRIVAL_QUERY,
    writes: true,
    failures: [409, 426],
    answers: {
      101: { description: 'The WebSocket. Its last message is the run, or a problem.', empty: true },
    },
    async handle({ tenant, encrypted, headers, query }) {
      assertAsksForSocket(headers)
      if (!encrypted) throw tlsRequired(WITH_TOKEN)
      if (headers.authorization === undefined) throw tokenOnly()
      return { socket: (input) => tenant.moves.receiveStream(input, arrivalOptions(query)) }
    },
  },
  {
    method: 'POST',
    path: HANDOFF_PATH,
    name: 'receiveHandoff',
    summary: 'Continues a state that arrives as a streaming handoff (AAIF §8.3). Encrypted connections only.',
    tag: 'states',
    access: OPERATORS,
    alsoScope: RECEIVE_SCOPE,
    query: ARRIVAL_QUERY,
    body: { kind: 'stream', mediaType: HANDOFF_TYPE },
    failures: [404, 409, 426],
    answers: {
      201: { description: 'The run that continues the state.', schema: receivedState },
      202: { description: KEPT, schema: keptState },
    },
    async handle({ tenant, input, encrypted, query }) {
      if (!encrypted) throw tlsRequired(WITH_TOKEN)
      const json = await tenant.moves.receiveStream(input, arrivalOptions(query))
      return { status: 'run_id' in json ? 201 : 202, json }
    },
  },
  {
    method: 'POST',
    path: '/v1/runs/{run}/migrate',
    name: 'migrateRun',
    summary: 'Moves a run to another platform, or says what would happen.',
    tag: 'runs',
    access: OPERATORS,
    body: { kind: 'json', schema: newMove },
    failures: [404, 409, 424],
    answers: {
      200: { description: 'The move has ended, or it is a dry run.', schema: moveView },
      202: { description: 'The move continues.', schema: moveView },
    },
    async handle(call) {
      const move = await call.tenant.moves.start(param(call, 'run'), call.body as unknown as NewMove)
      if (move.state !== 'kept') return { status: move.state === 'moving' ? 202 : 200, json: move }
      throw new WaybillError('MOVE_REFUSED', {
        fault: 'refused',
        message: `the run was not moved: ${move.code}: ${move.why}`,
        hint: 'the run continues here',
      })
    },
  },
  {
    method: 'POST',
    path: '/v1/runs/{run}/take-back',
    name: 'takeBackRun',
    summary:
      'Takes back a run whose receiver does not know it any more, for example after its database was put back. Refused while it owns the run.',
    tag: 'runs',
    access: OPERATORS,
    failures: [404, 409, 424],
    answers: { 200: { description: 'The move, which is `kept` now.', schema: moveView } },
    handle: async (call) => ({ status: 200, json: await call.tenant.moves.takeBack(param(call, 'run')) }),
  },
  {
    method: 'POST',
    path: '/v1/runs/{run}/confirm-move',
    name: 'confirmMove',
    summary:
      'Gives a run away whose state was written for a platform that is not Waybill: a person says that it runs there.',
    tag: 'runs',
    access: OPERATORS,
    body: { kind: 'json', schema: confirmedMove },
    failures: [404, 409],
    answers: { 200: { description: 'The move, which is `moved` now.', schema: moveView } },
    async handle(call) {
      const { target_run_id } = call.body as { readonly target_run_id?: string }
      return { status: 200, json: await call.tenant.moves.confirm(param(call, 'run'), target_run_id) }
    },
  },
  {
    method: 'GET',
    path: '/v1/migrations/{jti}',
    name: 'readMigration',
    summary: 'Says who owns the run of a migration token.',
    tag: 'states',
    access: READERS,
    alsoScope: RECEIVE_SCOPE,
    answers: { 200: { description: 'What was decided.', schema: migrationView } },
    handle: async (call) => ({ status: 200, json: await call.tenant.moves.read(param(call, 'jti')) }),
  },
  {
    method: 'GET',
    path: '/v1/migrations/{jti}/state',
    name: 'fetchMigration',
    summary:
      'Hands the state of a run with its token to the machine that it moves to. Encrypted connections only.',
    tag: 'states',
    access: OPERATORS,
    failures: [404, 409, 426],
    answers: { 200: { description: 'The Agent State.', schema: document } },
    async handle(call) {
      if (!call.encrypted) throw tlsRequired(WITH_TOKEN)
      return { status: 200, json: await call.tenant.moves.fetch(param(call, 'jti')), signed: true }
    },
  },
  {
    method: 'POST',
    path: '/v1/migrations/{jti}',
    name: 'reportMigration',
    summary: 'Takes the signed decision of a machine that has fetched a state.',
    tag: 'states',
    access: OPERATORS,
    body: { kind: 'json', schema: arrivalReport },
    failures: [404],
    answers: { 200: { description: 'What was decided.', schema: migrationView } },
    async handle(call) {
      const { statement } = call.body as { readonly statement: string }
      return { status: 200, json: await call.tenant.moves.report(param(call, 'jti'), statement) }
    },
  },
  {
    method: 'DELETE',
    path: '/v1/migrations/{jti}',
    name: 'withdrawMigration',
    summary: 'Makes sure that a migration token cannot be used any more, unless it was used.',
    tag: 'states',
    access: OPERATORS,
    alsoScope: RECEIVE_SCOPE,
    answers: { 200: { description: 'What was decided.', schema: migrationView } },
    handle: async (call) => ({ status: 200, json: await call.tenant.moves.withdraw(param(call, 'jti')) }),
  },
  {
    method: 'POST',
    path: '/v1/arrivals',
    name: 'askArrivals',
    summary:
      'Tells a pinned platform, which signs the question, which of its runs are owned here. Platforms ask it after their database was put back.',
    tag: 'states',
    access: OPERATORS,
    alsoScope: RECEIVE_SCOPE,
    body: { kind: 'json', schema: arrivalsQuestion },
    failures: [409],
    answers: { 200: { description: 'A page of runs.', schema: arrivalsPage } },
    handle: async ({ tenant, body }) => ({
      status: 200,
      json: await tenant.moves.arrivals(body as unknown as ArrivalsQuestion),
    }),
  },
  {
    method: 'GET',
    path: '/v1/peers',
    name: 'listPeers',
    summary: 'Lists the platforms that runs are exchanged with.',
    tag: 'peers',
    access: READERS,
    answers: { 200: { description: 'The platforms.', schema: peerList } },
    handle: async ({ tenant }) => ({ status: 200, json: await tenant.peers.list() }),
  },
  {
    method: 'POST',
    path: '/v1/peers',
    name: 'setPeer',
    summary: 'Pins another platform, or replaces it.',
    tag: 'peers',
    access: ADMINS,
    body: { kind: 'json', schema: newPeer },
    failures: [409, 426],
    answers: { 201: { description: 'The platform.', schema: peerView } },
    handle: async ({ tenant, body }) => ({
      status: 201,
      json: await tenant.peers.set(body as unknown as NewPeer),
    }),
  },
  {
    method: 'GET',
    path: '/v1/peers/self',
    name: 'readOwnPeer',
    summary: 'Returns the URL, the organisation and the public keys with which others pin this organisation.',
    tag: 'peers',
    access: READERS,
    failures: [409],
    answers: { 200: { description: 'This organisation.', schema: peerSelf } },
    handle: async ({ tenant }) => ({ status: 200, json: await tenant.peers.self() }),
  },
  {
    method: 'POST',
    path: '/v1/peers/enrolments',
    name: 'enrolMachine',
    summary:
      'Pins the machine that a member logs in from. It acts for this member only, and replaces nothing.',
    tag: 'peers',
    access: OPERATORS,
    body: { kind: 'json', schema: enrolment },
    failures: [409],
    answers: { 201: { description: 'The machine.', schema: peerView } },
    handle: async ({ tenant, body }) => ({
      status: 201,
      json: await tenant.peers.enrol(body as unknown as Enrolment),
    }),
  },
  {
    method: 'POST',
    path: '/v1/peers/invites',
    name: 'invitePeer',
    summary:
      'Makes an invitation with which another platform pins itself, once. A repeated request does not show it.',
    tag: 'peers',
    access: ADMINS,
    body: { kind: 'json', schema: newInvite },
    failures: [409],
    answers: { 201: { description: 'The invitation.', schema: peerInvite } },
    async handle({ tenant, body, resourceId }) {
      const invite = await tenant.peers.invite(body as unknown as NewInvite, resourceId)
      const { token: _token, ...kept } = invite
      return { status: 201, json: invite, kept }
    },
  },
  {
    method: 'POST',
    path: '/v1/peers/join',
    name: 'joinPeer',
    summary:
      'Pins the platform that has got an invitation, which is the token of this request and is used up.',
    tag: 'peers',
    access: ADMINS,
    alsoScope: JOIN_SCOPE,
    body: { kind: 'json', schema: peerSelf },
    failures: [409, 426],
    answers: { 201: { description: 'The platform, and a token that only hands runs over.', schema: joined } },
    async handle({ tenant, body }) {
      const { peer, token } = await tenant.peers.join(body as unknown as JoiningPeer)
      return { status: 201, json: { peer, token }, kept: { peer } }
    },
  },
  {
    method: 'DELETE',
    path: '/v1/peers/{peer}',
    name: 'removePeer',
    summary: 'Removes a pinned platform: nothing is exchanged with it any more.',
    tag: 'peers',
    access: ADMINS,
    answers: { 200: { description: 'How many were removed.', schema: removed } },
    async handle(call) {
      await call.tenant.peers.remove(param(call, 'peer'))
      return { status: 200, json: { removed: 1 } }
    },
  },
]

async function receive({ tenant, body, query, encrypted, carriesStates }: Call<Tenant>): Promise<Answer> {
  const state = body as unknown as AgentState
  if (!carriesStates) throw tlsRequired('an Agent State')
  if (state.provenance?.migration_token !== undefined && !encrypted) throw tlsRequired(WITH_TOKEN)
  const { dry_run: dryRun } = query as { readonly dry_run?: boolean }
  if (dryRun !== true && state.provenance?.migration_token === undefined) assertMayFork(tenant.principal)
  const received = await tenant.moves.receive(state, {
    ...arrivalOptions(query),
    ...defined({ dryRun }),
  })
  return { status: dryRun === true ? 200 : 'run_id' in received ? 201 : 202, json: received }
}

function arrivalOptions(query: Call['query']): Omit<ReceiveOptions, 'dryRun'> {
  const {
    fail_on_loss: failOnLoss,
    resume: resumes,
    subagent,
  } = query as {
    readonly fail_on_loss?: boolean
    readonly resume?: boolean
    readonly subagent?: boolean
  }
  return defined({ failOnLoss, resumes, subagent })
}

/** A token that only hands runs over starts none. @throws SCOPE_MISSING */
function assertMayFork({ scopes }: Principal): void {
  if (scopes === undefined || scopes.includes('states:write')) return
  throw new WaybillError('SCOPE_MISSING', {
    message: 'this token hands runs over with migration tokens, and this state has none',
    hint: 'use a token with the scope states:write',
  })
}

/** A page of another site can open a WebSocket with the cookie of a session, but not with a header. */
function tokenOnly(): WaybillError {
  return new WaybillError('CSRF_REFUSED', {
    fault: 'refused',
    message: 'a WebSocket cannot be opened with the cookie of a browser session',
    hint: 'send the header `authorization: Bearer TOKEN`',
  })
}
