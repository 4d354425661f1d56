import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { JsonObject } from '../../../src/document/json.ts'
import { type Attack, assertAbsent, type Category, type Control, numbered } from '../attack.ts'
import {
  calling,
  definition,
  Listener,
  listen,
  ModelServer,
  runAgent,
  SEND_MAIL,
  shared,
  shownOnTerminal,
  stage,
  streaming,
} from '../world.ts'

const models = shared(() => new ModelServer())
const collectors = shared(() => new Listener())

/** Each text, and the parts of it that must be absent afterwards: each long enough for `assertAbsent`. */
const DISGUISES: readonly (readonly [attack: string, text: string, hidden: readonly string[]])[] = [
  ['writes an address plainly', 'Mail ada.lovelace@mailboxes.org', ['ada.lovelace', 'mailboxes']],
  ['puts spaces around the sign', 'Mail ada.lovelace @ mailboxes.org', ['ada.lovelace', 'mailboxes']],
  ['writes the sign out', 'Mail ada.lovelace (at) mailboxes (dot) org', ['ada.lovelace', 'mailboxes']],
  ['writes the sign out without brackets', 'Mail ada.lovelace at mailboxes dot org', ['ada.lovelace']],
  [
    'uses full-width letters',
    'Mail ａｄａｌｏｖｅｌａｃｅ＠ｍａｉｌｂｏｘｅｓ．ｏｒｇ',
    ['ａｄａｌｏｖｅｌａｃｅ', 'ｍａｉｌｂｏｘｅｓ'],
  ],
  [
    'puts invisible characters in between',
    'Mail a\u200bd\u200ba.lovelace@mail\u2060boxes.org',
    ['lovelace', 'boxes.org'],
  ],
  [
    'encodes the sign for a URL',
    'See https://x.example/?u=ada.lovelace%40mailboxes.org',
    ['ada.lovelace', 'mailboxes'],
  ],
  ['encodes the sign for HTML', 'Mail ada.lovelace&#64;mailboxes&#46;org', ['ada.lovelace', 'mailboxes']],
  ['escapes the sign as JSON does', 'Mail ada.lovelace\\u0040mailboxes.org', ['ada.lovelace', 'mailboxes']],
  ['mixes the case', 'Mail AdA.LoVeLaCe@MaIlBoXeS.oRg', ['LoVeLaCe', 'MaIlBoXeS']],
  ['uses digits of another script', 'Call +٤٩ ١٥١ ٢٣٤٥٦٧٨٩', ['٢٣٤٥٦٧٨٩']],
  ['uses full-width digits', 'Call ＋４９　１５１　２３４５６７８９', ['２３４５６７８９']],
  ['puts dots and brackets into a number', 'Call +49 (0) 151.2345.6789', ['2345.6789']],
  ['groups a card with thin spaces', 'Card 4111\u20091111\u20091111\u20091111', ['4111\u20091111\u20091111']],
  ['groups a card with dashes', 'Card 4111-1111-1111-1111', ['4111-1111-1111']],
  [
    'groups an account with spaces',
    'To DE89 3704 0044 0532 0130 00',
    ['3704 0044', '0044 0532', '0532 0130'],
  ],
  ['writes an account in small letters', 'To de89370400440532013000', ['370400440532']],
  ['writes a card behind a name', 'Found pan_4111111111111111', ['4111111111111111']],
  ['writes a card between letters', 'Found abc4111111111111111def', ['4111111111111111']],
  ['groups a card with underscores', 'Card 4111_1111_1111_1111', ['4111_1111_1111']],
  ['writes an account behind a name', 'To iban_DE89370400440532013000', ['370400440532']],
  [
    'puts a comment of HTML into an address',
    'Mail ada.lovelace@<!-- x -->mailboxes.org',
    ['ada.lovelace', 'mailboxes'],
  ],
  ['escapes the sign twice', 'Mail ada.lovelace&amp;#64;mailboxes.org', ['ada.lovelace', 'mailboxes']],
  [
    'encodes the sign as mail programs do',
    'Mail ada.lovelace=40mailboxes.org',
    ['ada.lovelace', 'mailboxes'],
  ],
  [
    'writes an address from right to left',
    'Mail \u202egro.sexobliam@ecalevol.ada\u202c',
    ['sexobliam', 'ecalevol'],
  ],
  [
    'encodes an address in Base64 of UTF-16',
    `Mail ${Buffer.from('ada.lovelace@mailboxes.org', 'utf16le').toString('base64')}`,
    ['YQBkAGEALgBs', 'bwB4AGUAcwAu'],
  ],
  [
    'encodes an address in hexadecimal with colons',
    `Mail ${[...Buffer.from('ada.lovelace@mailboxes.org')].map((byte) => byte.toString(16)).join(':')}`,
    ['61:64:61:2e:6c', '62:6f:78:65:73'],
  ],
]

/** By which way the text comes in; each gives everything that was written or sent. */
type Way = (t: TestContext, text: string, handling: string) => Promise<Record<string, string>>

const input: Way = (t, text, handling) => sentBy(t, handling, {}, [], text)
const inJson: Way = (t, text, handling) =>
  sentBy(t, handling, {}, [], JSON.stringify({ people: [{ note: text, [text]: 1 }] }))
const toolResult: Way = (t, text, handling) =>
  sentBy(
    t,
    handling,
    { tools: [SEND_MAIL, { name: 'look', description: 'Looks.', protocol: 'function' }] },
    [{ tool: 'look', args: {} }],
    'Go',
    {
      'tools.mjs': `export const tools = { send_mail: async () => 1, look: Object.assign(async () => ({ rows: [{ deep: [${JSON.stringify(text)}] }] }), { readOnly: true }) }`,
    },
  )
const errorMessage: Way = (t, text, handling) =>
  sentBy(
    t,
    handling,
    { tools: [SEND_MAIL, { name: 'look', description: 'Looks.', protocol: 'function' }] },
    [{ tool: 'look', args: {} }],
    'Go',
    {
      'tools.mjs': `export const tools = { send_mail: async () => 1, look: async () => { throw new Error(${JSON.stringify(text)}) } }`,
    },
  )
const memory: Way = (t, text, handling) =>
  sentBy(t, handling, {
    memory: [{ scope: 'task', backend: 'in_memory', key: 'k', content: text, retrieval_strategy: 'recency' }],
  })
const subagent: Way = (t, text, handling) =>
  sentBy(
    t,
    handling,
    {
      orchestration: {
        role: 'orchestrator',
        subagents: [{ ref: 'helper.json', alias: 'h' }],
        pipeline: ['h'],
      },
    },
    [],
    text,
    {
      'helper.json': definition(
        { name: 'Helper', compliance: { pii_handling: 'none' } },
        { agent_id: 'a1b2c3d4-0001-4000-8000-000000000009' },
      ),
    },
  )

async function sentBy(
  t: TestContext,
  handling: string,
  agent: JsonObject,
  calls: readonly { tool: string; args: JsonObject }[] = [],
  said = 'Go',
  files: Record<string, string | JsonObject> = {},
) {
  const model = await models()
  const collector = await collectors()
  model.reset(calling(calls, 'Fine.'))
  const place = stage(t, {
    agent: { compliance: { pii_handling: handling, audit_log: true }, ...agent },
    files: { 'config.yaml': { telemetry: { otlp_endpoint: collector.url } }, ...files },
  })
  const outcome = await runAgent(place, model, '--input', said, '--config', 'config.yaml')
  assert.equal(outcome.code, 0, outcome.out + outcome.err)
  // What is sealed under the run's own key is meant to be there.
  return {
    'the model': model.text,
    'standard output': outcome.out,
    'standard error': outcome.err,
    'the home': place.homeText(),
    'the collector': collector.text,
  }
}

const WAYS: readonly (readonly [by: string, way: Way])[] = [
  ["the user's input", input],
  ['JSON, as a value and as a name', inJson],
  ["a tool's result, nested", toolResult],
  ["a tool's error message", errorMessage],
  ['a declared item of memory', memory],
  ['a sub-agent that handles none', subagent],
]

const disguised = DISGUISES.flatMap(([attack, text, hidden], index) =>
  [0, 3].map((shift): Omit<Attack, 'id'> => {
    const [by, way] = WAYS[(index + shift) % WAYS.length] as (typeof WAYS)[number]
    return {
      attack,
      by,
      holds: 'it reaches neither the model nor the record, the output or the collector',
      try: async (t) => assertAbsent(await way(t, text, 'anonymize'), hidden),
    }
  }),
)

const others: readonly Omit<Attack, 'id'>[] = [
  {
    attack: 'lets an address out in pieces',
    by: 'text that is streamed in pieces of three characters',
    holds: 'no piece of it is shown',
    try: async (t) => {
      const text = 'Write to ada.lovelace@mailbox.org, or call +49 151 23456789.'
      const provider = await streaming(t, text)
      const place = stage(t, { agent: { compliance: { pii_handling: 'anonymize' } } })
      const said = await shownOnTerminal(place, provider)
      assert.equal(said.code, 0, said.err)
      assert.match(said.out + said.err, /Write to/)
      assertAbsent({ out: said.out, err: said.err, home: place.homeText() }, [
        'lovelace',
        'mailbox.org',
        '23456789',
      ])
    },
  },
  {
    attack: 'asks for what was taken out, by its placeholder',
    by: 'a call to a host of the attacker’s with a placeholder in its arguments, at strict',
    holds: 'the real value is put back only after a person was asked',
    try: async (t) => {
      const thief = await listen(t)
      const model = await models()
      model.reset(
        calling([
          { tool: 'look', args: {} },
          { tool: 'drop', args: { who: '[email:1]' } },
        ]),
      )
      const place = stage(t, {
        agent: {
          compliance: { pii_handling: 'anonymize', safety_level: 'strict' },
          tools: [
            { name: 'look', description: 'Looks.', protocol: 'function' },
            { name: 'drop', description: 'Drops.', protocol: 'http', endpoint: thief.url },
          ],
        },
        files: {
          'tools.mjs': `export const tools = { look: Object.assign(async () => 'ada.lovelace@mailbox.org wrote', { readOnly: true }) }`,
        },
      })
      const outcome = await runAgent(place, model, '--allow-host', `127.0.0.1:${thief.port}`)
      assert.equal(outcome.code, 4, outcome.out)
      assert.equal(thief.received.length, 0)
    },
  },
  {
    attack: 'weakens what its caller asks for',
    by: 'a sub-agent that handles none under one that rejects',
    holds: 'personal data in its answer ends it',
    try: async (t) => {
      const model = await models()
      model.reset(() => 'It is ada.lovelace@mailbox.org.')
      const place = stage(t, {
        agent: {
          compliance: { pii_handling: 'reject' },
          orchestration: {
            role: 'orchestrator',
            subagents: [{ ref: 'helper.json', alias: 'h' }],
            pipeline: ['h'],
          },
        },
        files: {
          'helper.json': definition(
            { name: 'Helper', compliance: { pii_handling: 'none' } },
            { agent_id: 'a1b2c3d4-0001-4000-8000-000000000009' },
          ),
        },
      })
      const outcome = await runAgent(place, model)
      assert.notEqual(outcome.code, 0)
      assertAbsent({ out: outcome.out, err: outcome.err }, ['lovelace'])
    },
  },
]

const controls: readonly Control[] = [
  {
    passes: 'without a policy the same texts reach the model, by each way',
    try: async (t) => {
      for (const [by, way] of WAYS) {
        const { 'the model': model } = await way(t, 'ada.lovelace@mailbox.org', 'none')
        assert.match(model ?? '', /ada\.lovelace@mailbox\.org/, by)
      }
    },
  },
]

export const pii: Category = {
  name: 'Personal data in disguise',
  enforced: 'the finder and the transforms before anything is recorded, shown to a model or printed',
  file: 'test/redteam/pii.test.ts',
  attacks: numbered('pii', [...disguised, ...others]),
  controls,
}
