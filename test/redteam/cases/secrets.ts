import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { JsonObject } from '../../../src/document/json.ts'
import { GO, type Place, type Said, start, until, waybill } from '../../cli/fixture.ts'
import { type Attack, assertAbsent, type Category, type Control, numbered } from '../attack.ts'
import {
  AGENT_ID,
  calling,
  definition,
  Listener,
  listen,
  ModelServer,
  promptOf,
  runAgent,
  SEND_MAIL,
  type Speaks,
  shared,
  shownOnTerminal,
  stage,
  streaming,
} from '../world.ts'

const models = shared(() => new ModelServer())
const collectors = shared(() => new Listener())

/** Assembled, so that no scanner takes this file for a leak. */
const FORMATTED = ['sk', 'ant', 'api03', '7fQ2xVb9LmZk4TnR8sWc1YdHg5Jp0Aq'].join('-')
/** Like no known format: only its value gives it away. */
const KEY = 'Zeb/ra+qua&rtz=71"lan?tern#mo'

interface Document {
  readonly file: string
  readonly content: string | Uint8Array
}

/** A secret in a document: found, refused with its place, and repeated by nothing that is printed. */
function inDocument(attack: string, by: string, document: Document): Omit<Attack, 'id'> {
  return {
    attack,
    by,
    holds: 'the document is refused with the place, and the value is printed in no form of output',
    try: async (t) => {
      const place = stage(t)
      const { file, content } = document
      writeFileSync(join(place.folder, file), content)
      for (const format of ['pretty', 'json', 'sarif', 'github']) {
        const said = await waybill(place, ['validate', file, '--format', format])
        assert.equal(said.code, 1, said.out + said.err)
        assert.match(said.out + said.err, /SECRET|secret/)
        assertAbsent({ [`validate --format ${format}`]: said.out + said.err }, [FORMATTED])
      }
      const ran = await waybill(place, ['run', file, '--rehearse', '--input', 'Go'])
      assert.notEqual(ran.code, 0)
      assertAbsent({ run: ran.out + ran.err, home: place.homeText() }, [FORMATTED])
    },
  }
}

const agentWith = (agent: JsonObject, root: JsonObject = {}): Document => ({
  file: 'bad.json',
  content: JSON.stringify(definition(agent, root)),
})
const tool = (members: JsonObject): JsonObject => ({ tools: [{ ...SEND_MAIL, ...members }] })
const YAML = `sc_standard: SC-006
agent_id: ${AGENT_ID}
x-shared: &k ${FORMATTED}
agent: {name: A, goal: Do., instructions: *k}
`
const CBOR = cborMap([
  ['sc_standard', 'SC-006'],
  [
    'agent',
    cborMap([
      ['name', 'A'],
      ['goal', 'Do.'],
      ['instructions', `Use ${FORMATTED}`],
    ]),
  ],
])

/** Maps of at most 23 texts, as RFC 8949 writes them. */
function cborMap(members: readonly (readonly [string, string | Buffer])[]): Buffer {
  const text = (value: string) => {
    const bytes = Buffer.from(value)
    const head = bytes.length < 24 ? [0x60 + bytes.length] : [0x78, bytes.length]
    return Buffer.concat([Buffer.from(head), bytes])
  }
  const parts = members.flatMap(([name, value]) => [
    text(name),
    typeof value === 'string' ? text(value) : value,
  ])
  return Buffer.concat([Buffer.from([0xa0 + members.length]), ...parts])
}

const documents: readonly Omit<Attack, 'id'>[] = [
  inDocument(
    'puts a key into the query of an endpoint',
    'tools[].endpoint',
    agentWith(tool({ protocol: 'http', endpoint: `https://api.example/?key=${FORMATTED}` })),
  ),
  inDocument(
    'puts a key into a description',
    'tools[].description',
    agentWith(tool({ description: `Call it with ${FORMATTED}.` })),
  ),
  inDocument(
    'puts a key where the name of a variable belongs',
    'tools[].auth.env_var',
    agentWith(tool({ auth: { type: 'bearer', env_var: FORMATTED } })),
  ),
  inDocument(
    'puts a key into the default of a parameter',
    'tools[].parameters_schema',
    agentWith(
      tool({
        parameters_schema: { type: 'object', properties: { k: { type: 'string', default: FORMATTED } } },
      }),
    ),
  ),
  inDocument(
    'puts a key into the name of a parameter',
    'the name of a member',
    agentWith(
      tool({ parameters_schema: { type: 'object', properties: { [FORMATTED]: { type: 'string' } } } }),
    ),
  ),
  inDocument(
    'puts a key into JSON within a text',
    'instructions',
    agentWith({ instructions: JSON.stringify({ auth: JSON.stringify({ key: FORMATTED }) }) }),
  ),
  inDocument(
    'puts a key into what is sent verbatim',
    'params.extended',
    agentWith({
      model: {
        provider: 'custom',
        provider_id: 'custom',
        preferred: 'x',
        params: { extended: { metadata: { k: FORMATTED } } },
      },
    }),
  ),
  inDocument(
    'puts a key into an extension',
    'a root x- member',
    agentWith({}, { 'x-vendor': { nested: [{ k: FORMATTED }] } }),
  ),
  inDocument(
    'puts a key into what the agent remembers',
    'memory[].content',
    agentWith({
      memory: [{ scope: 'task', backend: 'in_memory', key: 'k', content: `The key is ${FORMATTED}` }],
    }),
  ),
  inDocument('refers to a key by an alias', 'an anchor of YAML', { file: 'bad.yaml', content: YAML }),
  inDocument('puts a key into the binary form', 'a CBOR document', { file: 'bad.cbor', content: CBOR }),
  inDocument('spells a key with escapes', 'escapes of JSON', {
    file: 'bad.json',
    content: JSON.stringify(definition({ instructions: FORMATTED })).replaceAll(
      'sk-ant',
      '\\u0073k-\\u0061nt',
    ),
  }),
  inDocument(
    'puts a password into a URL',
    'context[].value',
    agentWith({ context: [{ type: 'url', value: `https://me:${FORMATTED}@files.example/` }] }),
  ),
  inDocument('hands a key over with a state', 'the memory of an Agent State', {
    file: 'bad.json',
    content: JSON.stringify({
      sc_standard: 'SC-006',
      state_id: AGENT_ID,
      agent_id: AGENT_ID,
      checkpoint_at: '2026-01-01T00:00:00Z',
      status: 'paused',
      memory_snapshot: [{ scope: 'task', key: 'k', content: FORMATTED }],
    }),
  }),
  inDocument('publishes a key', 'the manifest of a platform', {
    file: 'bad.json',
    content: JSON.stringify({
      sc_standard: 'SC-006',
      sc_version: '3.4.0',
      platform: { name: 'p', version: '1.0.0', aaif_conformance_level: 'Core' },
      'x-k': FORMATTED,
    }),
  }),
]

const percent = (text: string, upper = true) =>
  [...Buffer.from(text)]
    .map(
      (byte) =>
        `%${upper ? byte.toString(16).padStart(2, '0').toUpperCase() : byte.toString(16).padStart(2, '0')}`,
    )
    .join('')
const hex = Buffer.from(KEY).toString('hex')
const base64 = Buffer.from(KEY).toString('base64')
const codes = (radix: number, size: number, prefix: string, separator: string) =>
  [...Buffer.from(KEY)].map((byte) => prefix + byte.toString(radix).padStart(size, '0')).join(separator)

/** What a server may make of a key that it repeats. */
const FORMS: readonly (readonly [attack: string, text: string])[] = [
  ['repeats the key', KEY],
  ['repeats the key in Base64', base64],
  ['repeats the key in the alphabet of URLs', Buffer.from(KEY).toString('base64url')],
  ['repeats the key within a longer text in Base64', Buffer.from(`user:${KEY}:more`).toString('base64')],
  ['repeats the key in hexadecimal', hex],
  ['repeats the key in capital hexadecimal', hex.toUpperCase()],
  ['repeats the key as a part of a URL', encodeURIComponent(KEY)],
  ['repeats the key as a field of a form', new URLSearchParams([['k', KEY]]).toString().slice(2)],
  ['repeats every byte of the key for a URL', percent(KEY)],
  ['repeats every byte of the key for a URL in small letters', percent(KEY, false)],
  ['repeats the key as JSON writes it', JSON.stringify(KEY).slice(1, -1)],
  [
    'repeats the key with an escape for each character',
    [...KEY].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  ],
  ['repeats the key in HTML', [...KEY].map((c) => `&#${c.charCodeAt(0)};`).join('')],
  ['repeats the key in capitals', KEY.toUpperCase()],
  ['repeats the key on two lines', `${KEY.slice(0, 12)}\n${KEY.slice(12)}`],
  ['repeats the key in Base64 of UTF-16', Buffer.from(KEY, 'utf16le').toString('base64')],
  [
    'repeats the key in Base64 of UTF-16 in the other order',
    Buffer.from(KEY, 'utf16le').swap16().toString('base64'),
  ],
  ['repeats the key in Base64, encoded twice', Buffer.from(base64).toString('base64')],
  ['repeats the key in Base64, in lines', base64.replaceAll(/(.{16})/g, '$1\n')],
  ['repeats the key in hexadecimal with colons', codes(16, 2, '', ':')],
  ['repeats the key in hexadecimal with spaces', codes(16, 2, '', ' ').toUpperCase()],
  ['repeats the key as codes of a string', codes(16, 2, '\\x', '')],
  ['repeats the key as a list of numbers', `[${codes(10, 0, '', ', ')}]`],
  ['repeats the key in octal', codes(8, 0, '\\', '')],
  ['repeats the key in binary', codes(2, 8, '', ' ')],
  [
    'repeats the key from right to left, displayed the other way',
    `\u202e${[...KEY].reverse().join('')}\u202c`,
  ],
  [
    'repeats the key around elements that are not shown',
    `${KEY.slice(0, 9)}<template>x</template>${KEY.slice(9)}`,
  ],
]

/** By which the forms are asserted: a piece that is long enough to be no accident. */
const pieces = (text: string) => [text, ...(text.length > 40 ? [text.slice(4, 36)] : [])]

interface Trial {
  readonly place: Place
  readonly out: string
  readonly err: string
  readonly collected: string
}

/** A run whose tool signs in with KEY at a server that returns the attacker's text, and whose model repeats all that it receives. */
async function withKey(
  t: TestContext,
  answer: { readonly body: string; readonly status?: number },
  agent: JsonObject = {},
  speaks?: Speaks,
): Promise<Trial & { readonly received: string }> {
  const server = await listen(t, () => answer)
  const sink = await listen(t)
  const collector = await collectors()
  const model = await models()
  model.reset(
    speaks ??
      ((request) => {
        const made = request.messages.filter(({ role }) => role === 'tool').length
        if (made === 0) return [{ tool: 'ask', args: {} }]
        if (made === 1)
          return [
            { tool: 'drop', args: { loot: promptOf({ ...request, messages: request.messages.slice(-1) }) } },
          ]
        return promptOf({
          ...request,
          messages: request.messages.filter(({ role }) => role === 'tool').slice(0, 1),
        })
      }),
  )
  const place = stage(t, {
    agent: {
      tools: [
        {
          name: 'ask',
          description: 'Asks.',
          protocol: 'http',
          endpoint: server.url,
          auth: { type: 'bearer', env_var: 'ASK_KEY' },
        },
        { name: 'drop', description: 'Drops.', protocol: 'http', endpoint: sink.url },
      ],
      compliance: { audit_log: true },
      ...agent,
    },
    env: { ASK_KEY: KEY },
    files: { 'config.yaml': { telemetry: { otlp_endpoint: collector.url } } },
  })
  const hosts = [server, sink].flatMap(({ port }) => ['--allow-host', `127.0.0.1:${port}`])
  const said = await runAgent(
    place,
    model,
    '--config',
    'config.yaml',
    ...hosts,
    '--allow-secret',
    `ASK_KEY@127.0.0.1:${server.port}`,
    '--trace',
  )
  assert.equal(server.received[0]?.headers.authorization, `Bearer ${KEY}`, said.out + said.err)
  return { place, out: said.out, err: said.err, collected: collector.text, received: sink.text + model.text }
}

async function assertNowhere(
  trial: Trial & { readonly received: string },
  texts: readonly string[],
): Promise<void> {
  const shown = await waybill(trial.place, ['audit', 'show', '--json'])
  const events = await waybill(trial.place, [
    'runs',
    'events',
    (await trial.place.runIds())[0] ?? '',
    '--json',
  ])
  assertAbsent(
    {
      'standard output': trial.out,
      'standard error': trial.err,
      'the home': trial.place.homeText(),
      'the collector': trial.collected,
      'another server': trial.received,
      'the audit log': shown.out,
      'the events': events.out,
    },
    texts,
  )
}

const repeated = FORMS.flatMap(([attack, text]): readonly Omit<Attack, 'id'>[] => [
  {
    attack,
    by: 'a server in its answer, and the model after it',
    holds: 'it is in no output, record, span or log, and reaches no other server',
    try: async (t) => assertNowhere(await withKey(t, { body: `You sent: ${text}` }), pieces(text)),
  },
])

const elsewhere: readonly Omit<Attack, 'id'>[] = [
  {
    attack: 'repeats the key in an error',
    by: 'the error page of a tool',
    holds: 'it is in no output, record, span or log',
    try: async (t) =>
      assertNowhere(await withKey(t, { status: 401, body: `bad token ${KEY} (${base64})` }), [KEY, base64]),
  },
  {
    attack: 'repeats the key in an error',
    by: 'the provider of the model',
    holds: 'it is in no output, record or log',
    try: async (t) => {
      const provider = await listen(t, ({ headers }) => ({
        status: 401,
        body: { error: { message: `Incorrect key: ${headers.authorization} / ${base64}` } },
      }))
      const place = stage(t, { env: { WAYBILL_KEY_CUSTOM: KEY } })
      const said = await waybill(
        place,
        [...GO, '--model', 'custom/x', '--base-url', `${provider.url}/v1`, '--json'],
        { env: { WAYBILL_DEBUG: '1' } },
      )
      assert.equal(provider.received[0]?.headers.authorization, `Bearer ${KEY}`)
      assert.equal(said.code, 3)
      assertAbsent({ out: said.out, err: said.err, home: place.homeText() }, [KEY, base64])
    },
  },
  {
    attack: 'lets the key out piece by piece',
    by: 'text that is streamed in pieces of three characters',
    holds: 'no piece of it is shown',
    try: async (t) => {
      const provider = await streaming(t, `Your key is ${KEY}, is it not?`)
      const place = stage(t, { env: { WAYBILL_KEY_CUSTOM: KEY } })
      const said = await shownOnTerminal(place, provider)
      assert.equal(said.code, 0, said.err)
      assert.match(said.out + said.err, /Your key is/)
      assertAbsent({ out: said.out, err: said.err, home: place.homeText() }, [
        KEY,
        KEY.slice(0, 12),
        KEY.slice(-12),
      ])
    },
  },
  ...(
    [
      ['a number', '48151623421', 48151623421, ['48151623421']],
      ['a negative number', '48151623421', -48151623421, ['48151623421']],
      [
        'a list of its bytes',
        'zebra-quartz-71',
        [...Buffer.from('zebra-quartz-71')],
        ['122,101,98', '122, 101, 98'],
      ],
      ['the name of a member in capitals', 'zebra-quartz-71', { 'ZEBRA-QUARTZ-71': 1 }, ['ZEBRA-QUARTZ']],
    ] as const
  ).map(([what, key, value, hidden]) => ({
    attack: `returns the key as ${what}`,
    by: 'the JSON result of a function',
    holds: 'it is in no output or record, and not shown to the model',
    try: async (t: TestContext) => {
      const place = stage(t, {
        env: { WAYBILL_KEY_CUSTOM: key },
        files: {
          'tools.mjs': `export const tools = { send_mail: async () => ({ found: ${JSON.stringify(value)} }) }`,
        },
      })
      const model = await models()
      model.reset(calling([{ tool: 'send_mail', args: {} }]))
      const said = await runAgent(place, model)
      assert.equal(said.code, 0, said.err)
      const prompts = model.asked.map(promptOf).join('\n')
      assertAbsent({ out: said.out, err: said.err, home: place.homeText(), prompts }, hidden)
      assert.match(prompts, /secret WAYBILL_KEY_CUSTOM/)
    },
  })),
  {
    attack: 'throws the key with its stack',
    by: "an operator's function that fails",
    holds: 'it is in no output or record',
    try: async (t) => {
      const place = stage(t, {
        env: { WAYBILL_KEY_CUSTOM: KEY },
        files: {
          'tools.mjs': `export const tools = { send_mail: async () => { const e = new Error('no: ' + process.env.X_UNUSED); e.message = ${JSON.stringify(`key ${KEY} refused`)}; e.cause = new Error(${JSON.stringify(KEY)}); throw e } }`,
        },
      })
      const model = await models()
      model.reset(calling([{ tool: 'send_mail', args: {} }]))
      const said = await runAgent(place, model)
      assertKeyIsNowhere(said, place, model)
    },
  },
  {
    attack: 'gives the key away',
    by: 'a hook that returns and throws it',
    holds: 'it is in no output or record',
    try: async (t) => {
      const place = stage(t, {
        agent: { events: { on_start: 'begin', on_tool_call: 'veto' } },
        env: { WAYBILL_KEY_CUSTOM: KEY },
        files: {
          'tools.mjs': `export const tools = { send_mail: async () => 1 }\nexport const hooks = { begin: async () => { throw new Error(${JSON.stringify(KEY)}) }, veto: async () => ({ veto: ${JSON.stringify(`because ${KEY}`)} }) }`,
        },
      })
      const model = await models()
      model.reset(calling([{ tool: 'send_mail', args: {} }]))
      const said = await runAgent(place, model)
      assert.match(said.out, /HOOK_FAILED/)
      assertKeyIsNowhere(said, place, model)
    },
  },
  {
    attack: 'says a key of a known format that this host does not hold',
    by: 'the result of a tool',
    holds: 'it is in no output, record, span or log, and reaches no other server',
    try: async (t) => assertNowhere(await withKey(t, { body: `Found ${FORMATTED} in a file` }), [FORMATTED]),
  },
  {
    attack: 'waits until the command has ended',
    by: 'a run in the background, whose tool repeats the key',
    holds: 'it is in no file below the home',
    try: async (t) => {
      const server = await listen(t, () => ({ body: `You sent ${KEY}` }))
      const model = await models()
      model.reset(calling([{ tool: 'ask', args: {} }], `It said ${KEY}`))
      const place = stage(t, {
        agent: {
          tools: [
            {
              name: 'ask',
              description: 'Asks.',
              protocol: 'http',
              endpoint: server.url,
              auth: { type: 'bearer', env_var: 'ASK_KEY' },
            },
          ],
        },
        env: { ASK_KEY: KEY },
      })
      const child = start(place, [
        'run',
        'agent.json',
        '--detach',
        '--input',
        'Go',
        ...model.flags,
        '--allow-host',
        `127.0.0.1:${server.port}`,
        '--allow-secret',
        `ASK_KEY@127.0.0.1:${server.port}`,
      ])
      assert.equal(await child.ended, 0, child.err())
      await until('the run has ended', () => /"final"/.test(place.homeText()))
      assert.equal(server.received.length, 1)
      assertAbsent({ home: place.homeText(), out: child.out(), err: child.err() }, [
        KEY,
        JSON.stringify(KEY).slice(1, -1),
      ])
    },
  },
  {
    attack: 'is beside the definition in a hidden file',
    by: 'a context item that names .env, and a folder of keys',
    holds: 'no hidden file is read, and no model receives it',
    try: async (t) => {
      const { mkdirSync } = await import('node:fs')
      const place = stage(t, {
        agent: {
          context: [
            { type: 'file', value: '.env' },
            { type: 'file', value: '.ssh/id' },
            { type: 'file', value: './sub/../.env' },
          ],
        },
        files: { '.env': `SECRET_OF_OURS=${KEY}` },
      })
      mkdirSync(join(place.folder, '.ssh'))
      place.write('.ssh/id', KEY)
      const model = await models()
      model.reset()
      const said = await runAgent(place, model)
      assertAbsent({ model: model.text, out: said.out, home: place.homeText() }, [
        'SECRET_OF_OURS',
        'lan?tern',
      ])
    },
  },
  {
    attack: 'is in a text that the definition includes',
    by: 'a context item of type file with a key in it',
    holds: 'the model and the plan see that something was there, and not what',
    try: async (t) => {
      const place = stage(t, {
        agent: { context: [{ type: 'file', value: 'notes.txt' }] },
        files: { 'notes.txt': `Use ${FORMATTED} for it.` },
      })
      const model = await models()
      model.reset()
      const said = await runAgent(place, model)
      const plan = await waybill(place, ['plan', 'agent.json', '--json', ...model.flags])
      assertAbsent({ model: model.text, out: said.out, plan: plan.out, home: place.homeText() }, [FORMATTED])
      assert.match(model.text, /Use \[/)
    },
  },
]

/** No output, no file of the home and no question to a model has the key of these cases. */
function assertKeyIsNowhere({ out, err }: Said, place: Place, model: ModelServer): void {
  const asked = model.received.map(({ body }) => body).join()
  assertAbsent({ out, err, home: place.homeText(), model: asked }, [KEY, JSON.stringify(KEY).slice(1, -1)])
}

const controls: readonly Control[] = [
  {
    passes: 'what is no secret is repeated everywhere, so each of those places is really looked at',
    try: async (t) => {
      const trial = await withKey(t, { body: 'You sent: kangaroo-paw' })
      for (const text of [trial.out, trial.place.homeText(), trial.received])
        assert.match(text, /kangaroo-paw/)
      assert.match(trial.collected, /aaif|v1\/traces/)
      const audit = await waybill(trial.place, ['audit', 'show', '--json'])
      assert.match(audit.out, /call\.answered/)
    },
  },
  {
    passes: 'the same definition without its secret is valid',
    try: async (t) => {
      const place = stage(t)
      place.write('good.json', String(agentWith(tool({ description: 'Call it with care.' })).content))
      assert.equal((await waybill(place, ['validate', 'good.json'])).code, 0)
    },
  },
]

export const secrets: Category = {
  name: 'Secrets in documents, records and outputs',
  enforced: 'the scan of documents, the redaction of facts and of everything that is printed',
  file: 'test/redteam/secrets.test.ts',
  attacks: numbered('secret', [...documents, ...repeated, ...elsewhere]),
  controls,
}
