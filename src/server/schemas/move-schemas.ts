import { answer, compactJws, id, list, moment, oneOf, request, ruled, text } from '../../http/schema.ts'
import type { Schema } from '../../spec/schema-builder.ts'
import { TOKEN_PROFILES } from '../../trust/token-profile.ts'

/** The largest state in one request, in bytes. */
export const MAX_STATE_BYTES = 64 * 1024 * 1024

/** The values and names of a state in one request: those of about 50,000 messages. A stream has no such limit. */
export const MAX_STATE_VALUES = 1_000_000

const users: Schema = {
  type: ['object', 'null'],
  maxProperties: 10_000,
  additionalProperties: { type: 'string', minLength: 1, maxLength: 512 },
  description: 'Which user here a user there is, by the name there; null: users have the same names.',
}

const PROFILE_TEXT =
  'What its migration tokens must carry: all claims (`full`, as those of Waybill), or at least `iat`, `exp`, `jti`, `state_id` and `agent_id` (`draft`). Default `full`.'

const keySet = ruled(
  {
    type: 'object',
    properties: {
      keys: list(
        {
          type: 'object',
          properties: {
            kty: oneOf(['OKP'], 'The type of the key.'),
            crv: oneOf(['Ed25519'], 'Its curve.'),
            x: text('The key.', { pattern: '^[A-Za-z0-9_-]{43}$' }),
          },
          required: ['kty', 'crv', 'x'],
        },
        { minItems: 1 },
      ),
    },
    required: ['keys'],
    description: 'The public keys: what it answers to `GET /.well-known/jwks.json`.',
  },
  'Each key is a point of the curve, and none has a private part.',
)

const ownUrl = ruled(
  {
    type: 'string',
    maxLength: 2048,
    description: 'Its https URL.',
  },
  // Not a pattern: what is not encrypted has a code of its own.
  'It begins with `https://`, and has a host and no path.',
)

export const newPeer: Schema = {
  ...request(
    {
      name: ruled({ ...id('The name of the platform here.'), maxLength: 100 }, 'Each place is pinned once.'),
      url: {
        ...ownUrl,
        description: 'The https URL under which it is reached; absent: a machine without a server.',
      },
      organisation: id('The organisation there; default: the name of the own one.'),
      keys: keySet,
      users,
      token: {
        type: 'string',
        minLength: 1,
        maxLength: 4096,
        description: 'A token of that platform with the role operator. It is never shown again.',
      },
      personal_data: {
        type: 'boolean',
        description:
          'Values of personal data are sent there with runs, sealed for the last one of its keys. Default: false.',
      },
      profile: oneOf(TOKEN_PROFILES, PROFILE_TEXT),
      source_platforms: {
        ...list({ type: 'string', minLength: 1, maxLength: 512 }, { maxItems: 20 }),
        description: 'Names that its states say they come from, such as `LangGraph`.',
      },
    },
    ['name', 'keys'],
  ),
  // It would be sent nowhere.
  dependentRequired: { token: ['url'] },
}

export const peerView = answer('Another platform, as it was pinned.', {
  name: text('Its name here.'),
  url: { type: ['string', 'null'], description: 'Its URL; null: a machine without a server.' },
  organisation: { type: ['string', 'null'], description: 'The organisation there.' },
  keys: list(text('The thumbprint of a key that signs its tokens.')),
  users,
  has_token: { type: 'boolean', description: 'Whether runs can be sent there.' },
  personal_data: {
    type: 'boolean',
    description: 'Whether values of personal data are sent there with runs.',
  },
  profile: oneOf(TOKEN_PROFILES, PROFILE_TEXT),
  source_platforms: list(text('A name that its states say they come from.')),
  created_at: moment('When it was pinned.'),
  created_by: text('Who pinned it.'),
})

export const peerList = answer('The pinned platforms.', { items: list(peerView) })

export const newMove: Schema = {
  ...request(
    {
      to: id('The name of a pinned platform.'),
      method: oneOf(['document', 'stream'], 'In one request, or as a streaming handoff; default `document`.'),
      wss: {
        type: 'boolean',
        description: 'With `stream`: over a WebSocket, if the other platform offers it; else it is refused.',
      },
      dry_run: { type: 'boolean', description: 'Nothing is changed: the answer says what would be.' },
      fail_on_loss: { type: 'boolean', description: 'Refuse a move that would lose a part of the run.' },
      pull: ruled(
        { type: 'boolean', description: 'The peer is a machine without a server, and fetches the state.' },
        'The peer has no URL.',
      ),
    },
    ['to'],
  ),
  // A state that is fetched is one document.
  if: { properties: { pull: { const: true } }, required: ['pull'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { properties: { method: { enum: ['document'] } } },
}

export const fidelityReport = answer('What is kept, and what is not.', {
  entries: list(
    answer(
      'One part of the run.',
      {
        part: text('The part, as a path in the Agent State.'),
        status: oneOf(['kept', 'carried', 'approximated', 'left_behind'], 'How it came through.'),
        note: text('Why.'),
      },
      ['part', 'status'],
    ),
  ),
  summary: { type: 'object', description: 'The number of parts by status.' },
})

export const moveView = answer(
  'A move, or what it would be.',
  {
    run_id: text('The run here.'),
    state: oneOf(['would_move', 'moving', 'moved', 'kept'], 'What has become of it.'),
    owner: text('The organisation that owns the run, as the URL of its place.'),
    jti: text('The id of the migration token.'),
    target_run_id: text('The run there.'),
    state_id: text('The state that was sent.'),
    checksum: text('Its checksum.'),
    why: text('Why the run was kept.'),
    code: text('The same as a code.'),
    report: fidelityReport,
    examined: {
      type: 'boolean',
      description:
        'Of a dry run. False: the other platform has not read the state, so nothing is known of what would be lost there.',
    },
    sends_definition: {
      type: 'boolean',
      description: 'Of a dry run: whether the move would send the definition first.',
    },
    negotiation: {
      type: 'object',
      description: 'How the other platform compares with what the agent needs.',
    },
  },
  ['run_id', 'state', 'owner'],
)

export const confirmedMove = request({ target_run_id: id('The run there, if it is known.') }, [])

export const migrationView = answer(
  'What is known of a migration token.',
  {
    state: oneOf(['pending', 'owned_here', 'moved', 'refused'], 'What was decided.'),
    owner: { type: ['string', 'null'], description: 'Who owns the run; null: the other platform knows.' },
    run_id: { type: ['string', 'null'], description: 'The run of the owner, if it is known.' },
    place: {
      type: ['string', 'null'],
      description:
        'The organisation that answers, as the URL of its place; null: no token can name it, because the platform has no public URL.',
    },
    receiver: oneOf(
      ['unknown'],
      'Of a run that has moved: the receiver does not know it any more. Absent: it does, or has not answered.',
    ),
    hint: text('What to do then.'),
  },
  ['state', 'owner', 'run_id', 'place'],
)

export const arrivalReport = request(
  {
    statement: compactJws('A compact JWS of the receiver: who owns the run.'),
  },
  ['statement'],
)

export const arrivalsQuestion = request(
  {
    question: compactJws('A compact JWS of the organisation that asks: `iss`, `aud` and `iat`.'),
    after: { type: 'string', minLength: 1, maxLength: 512, description: '`next` of the page before.' },
  },
  ['question'],
)

export const arrivalsPage = answer('Runs that the asking organisation has moved here.', {
  items: list(
    answer('A run.', {
      run_id: text('The run here.'),
      migration_token: text('The token that it has arrived with, which is used up.'),
    }),
  ),
  next: { type: ['string', 'null'], description: 'For the next page; null: there is none.' },
})

export const receivedState = answer('The run that continues a state.', {
  run_id: text('The run here.'),
  status: text('Its status.'),
  owner: text('The organisation that owns it.'),
  report: fidelityReport,
})

export const keptState = answer('The state of a sub-agent, which waits for that of its caller.', {
  state_id: text('By which its caller names it.'),
  status: { const: 'kept', description: 'It is not continued by itself.' },
  kept_until: moment('It is removed then, if its caller has not arrived.'),
})

/** What a dry run answers. */
export const received = { anyOf: [receivedState, keptState] } as const

export const peerSelf = request({ url: ownUrl, organisation: id('The organisation there.'), keys: keySet }, [
  'url',
  'organisation',
  'keys',
])

export const enrolment = request(
  {
    keys: keySet,
    users: list(id('A name of the user of the machine.'), { maxItems: 10 }),
    proof: compactJws(
      'A compact JWS with the last key: the organisation (`aud`), the member (`sub`) and the time.',
    ),
  },
  ['keys', 'users', 'proof'],
)

export const newInvite = request(
  {
    name: ruled(
      { ...id('The name of the other platform here.'), maxLength: 100 },
      'Each place is pinned once.',
    ),
    users,
    hours: {
      type: 'number',
      exclusiveMinimum: 0,
      maximum: 168,
      description: 'Hours in which it is valid; default 24.',
    },
  },
  ['name'],
)

export const peerInvite = answer(
  'An invitation.',
  {
    name: text('The name of the other platform here.'),
    url: ownUrl,
    organisation: text('The organisation here.'),
    keys: keySet,
    token: text('Pins one platform, once.'),
    expires_at: moment('When it ends.'),
  },
  ['name', 'url', 'organisation', 'keys', 'expires_at'],
)

export const joined = answer(
  'The platform that was pinned.',
  {
    peer: peerView,
    token: text('With it the platform hands runs over, and does nothing else.'),
  },
  ['peer'],
)
