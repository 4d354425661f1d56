import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { LLMock } from '@copilotkit/aimock'
import { testDatabase } from '../platform/postgres.ts'
import { Place, type Said, start, until, waybill } from './fixture.ts'

const AGENT_ID = '5b0f6a0e-92a4-4f8a-9d57-3c1f6e2b8a91'
const usage = { prompt_tokens: 11, completion_tokens: 5, total_tokens: 16 }

/** A model that follows the last word of the input, at any machine. */
async function scriptedModel(t: TestContext): Promise<string> {
  const model = new LLMock({ port: 0, host: '127.0.0.1' })
  const url = await model.start()
  t.after(() => model.stop())
  const asks = (word: string) => (request: { messages: readonly { role: string; content?: unknown }[] }) =>
    request.messages.at(-1)?.role !== 'tool' &&
    JSON.stringify(request.messages.findLast(({ role }) => role === 'user')?.content).includes(word)
  const call = (name: string, args: object) => ({
    toolCalls: [{ id: 'c1', name, arguments: JSON.stringify(args) }],
    usage,
  })
  model.addFixture({ match: { predicate: asks('mail') }, response: call('send_mail', { to: 'ada' }) })
  model.addFixture({ match: { predicate: asks('break') }, response: call('break_down', {}) })
  model.addFixture({
    match: { predicate: asks('remember') },
    response: call('memory_save', { key: 'said', content: 'Assam' }),
  })
  model.addFixture({ match: {}, response: { content: 'Done.', usage } })
  return `${url}/v1`
}

const schema = { type: 'object', properties: { to: { type: 'string' } } }

function definition(modelUrl: string, members: object = {}): object {
  return {
    sc_standard: 'SC-006',
    agent_id: AGENT_ID,
    agent: {
      name: 'Clerk',
      version: '1.0.0',
      goal: 'Send what is due.',
      model: { provider: 'openai', preferred: 'test-model', base_url: modelUrl },
      tools: [
        { name: 'send_mail', description: 'Sends a mail.', protocol: 'function', parameters_schema: schema },
        { name: 'break_down', description: 'Fails.', protocol: 'function', parameters_schema: schema },
      ],
      memory: [{ scope: 'user', key: 'house', content: 'By the sea.' }],
      compliance: {
        audit_log: true,
        human_in_the_loop: { enabled: true },
      },
      ...members,
    },
  }
}

const TOOLS = `export const tools = {
  send_mail: async ({ to }) => ({ sent: to }),
  break_down: Object.assign(async () => { throw new Error('out of order') }, { readOnly: true }),
}
`

interface Site {
  readonly here: Place
  /** The home of the person who uses the server. */
  readonly there: Place
  readonly url: string
  readonly token: string
}

/** The same agent, tools and settings on this machine and on a server. */
async function site(t: TestContext): Promise<Site> {
  const modelUrl = await scriptedModel(t)
  const { ownerUrl } = await testDatabase(t)
  const agent = definition(modelUrl)
  const [here, there, operator] = [new Place(t, agent), new Place(t, agent), new Place(t, agent)]
  for (const place of [here, operator]) {
    mkdirSync(place.home, { mode: 0o700 })
    writeFileSync(
      join(place.home, 'config.yaml'),
      `allow_hosts: ["127.0.0.1"]\nproviders:\n  openai:\n    base_urls: ["${modelUrl}"]\n`,
    )
  }
  const strict = {
    io: { input_schema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } },
  }
  for (const place of [here, there, operator]) {
    place.write('tools.mjs', TOOLS)
    place.write('broken.json', JSON.stringify({ ...agent, sc_version: 1 }))
    place.write('new.json', JSON.stringify({ ...agent, agent_id: AGENT_ID.replace('91', '93') }))
    const other = {
      ...definition(modelUrl, { ...strict, tools: [], memory: [] }),
      agent_id: AGENT_ID.replace('91', '92'),
    }
    place.write('strict.json', JSON.stringify(other))
  }
  const env = { OPENAI_API_KEY: 'sk-test-0123456789abcdefghijklmnop' }
  Object.assign(here.env, env)
  const up = start(operator, ['up', '--json', '--port', '0', '--lease', '30', '--tools', 'tools.mjs'], {
    ...env,
    DATABASE_URL: ownerUrl,
  })
  t.after(async () => {
    up.child.kill('SIGTERM')
    await up.ended
  })
  await until('the platform', () => up.out() !== '' || up.child.exitCode !== null)
  const { url } = JSON.parse(up.out()) as { readonly url?: string }
  assert.ok(url !== undefined, up.out() + up.err())
  const made = await waybill(operator, [
    'token',
    'new',
    'terminal',
    '--role',
    'admin',
    '--database-url',
    ownerUrl,
  ])
  assert.equal(made.code, 0, made.err)
  return { here, there, url, token: made.out.trim() }
}

/** Replaces what differs between two runs of the same agent: ids, times, durations and the place. */
function normalised(text: string, place: string): string {
  const ids = new Map<string, string>()
  return (
    text
      .replaceAll(place, 'PLACE')
      .replaceAll(/01a[0-9a-f]{5}-[0-9a-f]{4}-7[0-9a-f-]{21}/g, (id) => {
        ids.set(id, ids.get(id) ?? `run-${ids.size + 1}`)
        return ids.get(id) ?? ''
      })
      // Short ids have more characters on a server, which moves the next column.
      .replaceAll(/\b(run|show|approve|deny|resume) [0-9a-f]{6,12}\b/g, '$1 RUN')
      .replaceAll(/^(?:RUN|[0-9a-f]{6,12}) +/gm, 'RUN ')
      .replaceAll(/(?<=\S) {2,}(?=\S)/g, '  ')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
      .replaceAll(/("duration_ms":|"at":|"asked_at":)\d+/g, '$10')
      .replaceAll(/\b[\d.]+ m?s\b/g, 'DURATION')
      .replaceAll(/^\d\d:\d\d:\d\d/gm, 'TIME')
      // A server has no files of the person, and names the member who started the run.
      .replaceAll(/^ {2}(definition|functions|on behalf of) .*\n/gm, '')
  )
}

interface Row {
  readonly argv: readonly string[]
  /** Options that only the command on this machine gets: its functions are those of the operator there. */
  readonly local?: readonly string[]
  readonly exit: number
  /** What the output must contain, so that two equal failures do not pass. */
  readonly says: RegExp
  /** Members that are compared; default: the whole output. */
  readonly members?: readonly string[]
}

const local = ['--tools', 'tools.mjs']
const run = (input: string, ...more: readonly string[]) => [
  'run',
  'agent.json',
  input,
  '--user',
  'ada',
  ...more,
]
const RUN_MEMBERS = [
  'v',
  'run_id',
  'agent_id',
  'agent_name',
  'rehearsal',
  'user',
  'status',
  'stop_reason',
  'output',
]
const SHOWN_MEMBERS = [...RUN_MEMBERS, 'model', 'usage', 'subagents', 'warnings', 'messages']

/** In this order, because later commands show what earlier ones have done. */
const ROWS: readonly Row[] = [
  { argv: ['approvals', 'list'], exit: 0, says: /^no call waits for a decision in PLACE/ },
  { argv: ['runs', 'list'], exit: 0, says: /^no runs yet in PLACE/ },
  { argv: ['runs', 'show', 'last', '--json'], exit: 2, says: /RUN_NOT_FOUND/ },
  {
    argv: ['run', 'broken.json', 'hello', '--json'],
    local,
    exit: 1,
    says: /DEFINITION_INVALID.*"line":.*broken\.json/,
  },
  { argv: run('hello', '--json'), local, exit: 0, says: /"completed".*"output":"Done\."/ },
  { argv: run('hello'), local, exit: 0, says: /^Done\.\n/ },
  { argv: ['run', 'strict.json', '{"n":1}', '--json'], exit: 0, says: /"completed"/ },
  { argv: run('break', '--json'), local, exit: 0, says: /"tool_calls":1/ },
  { argv: ['runs', 'show', 'last'], exit: 0, says: /out of order/ },
  {
    // The hint names who can raise it, which differs.
    argv: run('remember', '--budget', 'calls=1', '--json'),
    local,
    exit: 3,
    says: /"stop_reason":"budget"/,
    members: RUN_MEMBERS,
  },
  { argv: run('hello', '--budget', 'calls=0', '--json'), local, exit: 2, says: /BUDGET_INVALID/ },
  { argv: run('hello', '--rehearse', '--json'), local, exit: 0, says: /"rehearsal":true.*APPROVAL_ASSUMED/ },
  { argv: run('mail', '--json'), local, exit: 4, says: /"waiting":\[\{"call_id":"c1"/ },
  { argv: ['approvals', 'list', '--json'], exit: 0, says: /"asks":"approval"/ },
  { argv: ['approvals', 'list'], exit: 0, says: /c1 +Clerk +send_mail to="ada"/ },
  { argv: ['approvals', 'show', 'last', '--json'], exit: 0, says: /"arguments":\{"to":"ada"\}/ },
  {
    argv: ['approvals', 'approve', 'last', 'c9', '--json'],
    exit: 2,
    says: /APPROVAL_NOT_FOUND/,
    members: ['code'],
  },
  {
    argv: ['approvals', 'approve', 'last', '--why', 'checked', '--json'],
    exit: 0,
    says: /"why":"checked"/,
    members: ['run_id', 'tool', 'call_id', 'verdict', 'why'],
  },
  { argv: ['resume', 'last', '--json'], local, exit: 0, says: /"completed"/ },
  { argv: ['runs', 'show', 'last', '--json'], exit: 0, says: /"completed"/, members: SHOWN_MEMBERS },
  { argv: run('mail', '--json'), local, exit: 4, says: /"awaiting_approval"/ },
  { argv: ['approvals', 'approve', 'last', '--resume', '--json'], exit: 0, says: /^\{"run_id".*"completed"/ },
  { argv: run('mail', '--json'), local, exit: 4, says: /"awaiting_approval"/ },
  {
    argv: ['approvals', 'deny', 'last', '--json'],
    exit: 0,
    says: /"verdict":"deny"/,
    members: ['run_id', 'tool', 'call_id', 'verdict'],
  },
  { argv: ['resume', 'last', '--json'], local, exit: 0, says: /"output":"Done\."/ },
  { argv: ['approvals', 'list', '--json'], exit: 0, says: /^\{"approvals":\[\]\}/ },
  { argv: ['runs', 'list', '--json'], exit: 0, says: /"rehearsal":true/ },
  { argv: ['runs', 'list', '--status', 'failed', '--limit', '1'], exit: 0, says: /failed/ },
  { argv: ['memory', 'list'], exit: 0, says: /house +Clerk .*By the sea/ },
  { argv: ['memory', 'show', 'house', '--user', 'ada'], exit: 0, says: /By the sea/ },
  { argv: ['memory', 'forget', 'house', '--user', 'ada', '--json'], exit: 0, says: /^\{"forgotten":1\}/ },
  { argv: ['memory', 'forget', 'house', '--user', 'ada', '--json'], exit: 2, says: /MEMORY_NOT_FOUND/ },
  { argv: ['grants', 'revoke', 'g-0', '--json'], exit: 2, says: /GRANT_NOT_FOUND/ },
  { argv: ['grants', 'revoke', '--all', '--json'], exit: 0, says: /^\{"revoked":\[\]\}/ },
  { argv: ['runs', 'rm', 'none', '--json'], exit: 2, says: /RUN_NOT_FOUND/ },
  { argv: ['runs', 'rm', '--all', '--json'], exit: 2, says: /needs a confirmation/ },
  { argv: ['runs', 'rm', 'last', '--json'], exit: 0, says: /^\{"removed":\["run-1"\],"kept":\[\]\}/ },
  { argv: ['audit', 'verify', '--json'], exit: 0, says: /"ok":true/, members: ['ok', 'problems'] },
  // A server refuses such an input before there is a run.
  {
    argv: ['run', 'strict.json', '{"n":"one"}', '--json'],
    exit: 1,
    says: /INPUT_INVALID/,
    members: ['code', 'message', 'rule'],
  },
]

function compared({ code, out }: Said, place: string, members: readonly string[] | undefined) {
  const text = normalised(out, place)
  if (members === undefined) return { code, text }
  const value = JSON.parse(text) as Record<string, unknown>
  const shown = (value.error ?? value) as Record<string, unknown>
  return { code, text: Object.fromEntries(members.map((member) => [member, shown[member]])) }
}

describe('commands on a server', () => {
  it('print what they print on this machine, with the same exit codes', async (t) => {
    const { here, there, url, token } = await site(t)
    const env = { WAYBILL_TOKEN: token }
    for (const { argv, local = [], exit, says, members } of ROWS)
      await t.test(argv.join(' '), async () => {
        const [a, b] = await Promise.all([
          waybill(here, [...argv, ...local]),
          waybill(there, [...argv, '--server', url], { env }),
        ])
        assert.equal(a.code, exit, a.out + a.err)
        assert.match(normalised(a.out, '~/home'), says)
        assert.deepEqual(compared(b, url, members), compared(a, '~/home', members), b.err)
      })

    await t.test(
      'audit export: the export of a server is verified with its keys, and cut ones are detected',
      async () => {
        const { code, err } = await waybill(there, ['audit', 'export', '-o', 'log.ndjson', '--server', url], {
          env,
        })
        assert.equal(code, 0, err)
        const lines = readFileSync(join(there.folder, 'log.ndjson'), 'utf8').trimEnd().split('\n')
        const shown = JSON.parse(
          (await waybill(there, ['audit', 'show', '--json', '--server', url], { env })).out,
        )
        assert.equal(lines.length - 1, shown.entries.length)
        assert.ok('sig' in JSON.parse(lines.at(-1) ?? ''), lines.at(-1))
      },
    )

    await t.test('runs export: the record of a run on a server is shown after an import here', async () => {
      const argv = ['runs', 'export', 'last', '-o', 'run.ndjson', '--server', url]
      const { code, err } = await waybill(there, argv, { env })
      assert.match(err, /\nrun \S+ was written to run\.ndjson\n$/)
      assert.equal(code, 0)
      const imported = await waybill(there, ['runs', 'import', 'run.ndjson', '--json'])
      assert.equal(imported.code, 0, imported.out + imported.err)
      const shown = await waybill(there, ['runs', 'show', 'last', '--json', '--local'])
      assert.equal(JSON.parse(shown.out).agent_name, 'Clerk', shown.out)
      assert.equal((await waybill(there, ['runs', 'rm', 'last', '--local'])).code, 0)
    })

    await t.test('what belongs to this machine is refused before anything is uploaded', async () => {
      const before = await versions(url, token)
      const table = [
        [['--tools', 'tools.mjs'], 'FUNCTIONS_LOCAL', /send_mail, break_down/],
        [['--allow-host', 'a.example'], 'OPTION_LOCAL_ONLY', /--allow-host/],
        [['--base-url', 'https://a.example'], 'OPTION_LOCAL_ONLY', /--base-url/],
        [['--yes', 'send_mail'], 'OPTION_LOCAL_ONLY', /--yes/],
        [['--local'], 'USAGE', /--local/],
      ] as const
      for (const [options, expected, names] of table) {
        const argv = ['run', 'new.json', 'hello', ...options, '--server', url, '--json']
        const { code, out } = await waybill(there, argv, { env })
        const { error } = JSON.parse(out)
        assert.deepEqual([code, error.code], [2, expected], out)
        assert.match(error.message, names)
      }
      assert.deepEqual(await versions(url, token), before)
    })

    await t.test('a changed file runs as a draft without a new version, and the version stays', async () => {
      const before = (await versions(url, token)) as readonly { readonly version: string }[]
      const changed = readFileSync(join(there.folder, 'agent.json'), 'utf8').replace('due.', 'owed.')
      there.write('changed.json', changed)
      for (let again = 0; again < 2; again++) {
        const said = await waybill(there, ['run', 'changed.json', 'hello', '--server', url, '--json'], {
          env,
        })
        assert.deepEqual([said.code, JSON.parse(said.out).status], [0, 'completed'], said.out)
        assert.match(said.err, /differs from version 1\.0\.0 on the server: this run uses it as a draft/)
      }
      assert.deepEqual(await versions(url, token), before)
      const list = await waybill(there, ['agents', 'versions', AGENT_ID, '--server', url, '--json'], { env })
      const { items } = JSON.parse(list.out)
      assert.deepEqual(items.map(({ status }: { status: string }) => status).toSorted(), ['active', 'draft'])
      const refused = await waybill(there, ['agents', 'upload', 'changed.json', '--server', url, '--json'], {
        env,
      })
      assert.deepEqual([refused.code, JSON.parse(refused.out).error.code], [1, 'VERSION_EXISTS'])
    })

    await t.test(
      'a plan of a server says what a run there would do, by name, by file and after an upload',
      async () => {
        const plan = async (...argv: readonly string[]) => {
          const said = await waybill(there, ['plan', ...argv, '--server', url, '--json'], { env })
          return { ...said, json: JSON.parse(said.out) }
        }
        const named = await plan(AGENT_ID)
        assert.deepEqual([named.code, named.json.ok, named.json.agent_id], [0, true, AGENT_ID], named.out)
        const local = await waybill(here, ['plan', 'agent.json', '--tools', 'tools.mjs', '--local', '--json'])
        const members = ['agent_id', 'definition_hash', 'tools', 'constraints', 'secrets', 'limits'] as const
        for (const member of members)
          assert.deepEqual(named.json[member], JSON.parse(local.out)[member], member)
        const lacking = JSON.parse(readFileSync(join(there.folder, 'agent.json'), 'utf8'))
        lacking.agent_id = AGENT_ID.replace(/91$/, 'a5')
        lacking.agent.name = 'Lacking'
        lacking.agent.model = {
          provider: 'custom',
          provider_id: 'c',
          preferred: 'x',
          base_url: 'https://c.example/v1',
        }
        lacking.agent.tools.push({ ...lacking.agent.tools[0], name: 'not_installed' })
        there.write('lacking.json', JSON.stringify(lacking))
        const before = await versions(url, token)
        const file = await plan('lacking.json')
        assert.deepEqual([file.code, file.json.ok], [1, false], file.out)
        assert.match(JSON.stringify(file.json.tools), /not_installed/)
        assert.deepEqual(await versions(url, token), before, 'nothing is stored')
        const text = await waybill(there, ['plan', 'lacking.json', '--server', url], { env })
        assert.match(text.out, /not_installed/)
        assert.doesNotMatch(text.out, /--allow-host|--tools/)
        const up = await waybill(there, ['agents', 'upload', 'lacking.json', '--server', url, '--json'], {
          env,
        })
        assert.equal(up.code, 0, up.out)
        const uploaded = JSON.parse(up.out)
        assert.equal(uploaded.plan.ok, false, up.out)
        assert.equal((await plan('Lacking')).json.ok, false)
        assert.match(JSON.stringify(uploaded.plan.models), /c\.example|allow_hosts/)
        assert.match(JSON.stringify(uploaded.plan.tools), /not_installed/)
        assert.ok(up.out.length < 4000, `${up.out.length}`)
        assert.deepEqual(Object.keys(uploaded.levels.Core), ['met'])
      },
    )

    await t.test(
      'a kept login is used and named; --local and an empty WAYBILL_SERVER are this machine',
      async () => {
        assert.equal((await waybill(there, ['login', url], { stdin: token })).code, 0)
        const listed = (argv: readonly string[], choices = {}) =>
          waybill(there, ['runs', 'list', ...argv], choices)
        const kept = await listed([], { errIsTty: true })
        assert.match(kept.out, /Clerk/)
        assert.match(kept.err, new RegExp(`^on ${url}`))
        assert.equal((await listed([])).err, `on ${url} as admin\n`)
        assert.equal((await listed(['--json'])).err, '')
        const named = { env: { WAYBILL_SERVER: url }, errIsTty: true }
        assert.match(
          (await waybill(here, ['runs', 'list'], { ...named, env: { ...named.env, ...env } })).err,
          new RegExp(`^on ${url}`),
        )
        for (const said of [await listed(['--local']), await listed([], { env: { WAYBILL_SERVER: '' } })])
          assert.match(said.out, /^no runs yet in ~\/home/)
        const by = await waybill(there, ['run', AGENT_ID, 'hello', '--json'])
        assert.equal(JSON.parse(by.out).status, 'completed', by.out)
      },
    )
  })
})

async function versions(url: string, token: string): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}` }
  const list = (await (await fetch(`${url}/v1/agents`, { headers })).json()) as { readonly items: unknown }
  return list.items
}
