import assert from 'node:assert/strict'
import {
  copyFileSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { JsonObject } from '../../../src/document/json.ts'
import { planRun } from '../../../src/index.ts'
import { definitionIdentities, sourceIdentity } from '../../../src/resolve/definition-identity.ts'
import { readDefinitionFile } from '../../../src/resolve/read-definition-file.ts'
import type { AgentDefinition } from '../../../src/spec/aaif/generated/agent.ts'
import { type Place, waybill } from '../../cli/fixture.ts'
import { type Attack, type Category, type Control, numbered } from '../attack.ts'
import {
  AGENT_ID,
  calling,
  command,
  definition,
  listen,
  ModelServer,
  runAgent,
  shared,
  stage,
} from '../world.ts'

const models = shared(() => new ModelServer())

const DEPOT: JsonObject = {
  name: 'depot',
  description: 'The depot.',
  protocol: 'http',
  endpoint: 'https://depot.example/find',
}
const OWNER = { tools: [DEPOT] } as const

/** A definition in `own/agent.json`, with a standing grant for the host of its tool. */
async function granted(t: TestContext): Promise<{ place: Place; own: string }> {
  const place = stage(t)
  const own = join(place.folder, 'own', 'agent.json')
  mkdirSync(dirname(own))
  writeFileSync(own, JSON.stringify(definition(OWNER)))
  const given = await waybill(place, [
    'grants',
    'allow',
    'host',
    'depot.example',
    '--agent',
    'own/agent.json',
  ])
  assert.equal(given.code, 0, given.err)
  return { place, own }
}

async function gateOf(place: Place, argv: readonly string[], stdin?: string): Promise<unknown> {
  const { value, err } = await command(place, ['plan', ...argv], stdin === undefined ? {} : { stdin })
  const tools = value.tools as readonly { readonly gate: string }[] | undefined
  assert.ok(tools !== undefined, err)
  return tools.at(-1)?.gate
}

/** What a thief makes of the granted definition, and the command line that then starts it. */
const THIEVES: Readonly<
  Record<string, (own: string, place: Place) => { readonly argv: readonly string[]; readonly stdin?: string }>
> = {
  'a copy in the same folder': (own) => {
    copyFileSync(own, join(dirname(own), 'copy.json'))
    return { argv: ['own/copy.json'] }
  },
  'a copy of the same name in another folder': (own, { folder }) => {
    mkdirSync(join(folder, 'evil'))
    copyFileSync(own, join(folder, 'evil', 'agent.json'))
    return { argv: ['evil/agent.json'] }
  },
  'a hard link in another folder': (own, { folder }) => {
    mkdirSync(join(folder, 'evil'))
    linkSync(own, join(folder, 'evil', 'agent.json'))
    return { argv: ['evil/agent.json'] }
  },
  'standard input': (own) => ({ argv: ['-'], stdin: readFileSync(own, 'utf8') }),
  'another file, moved there, after the folder was moved': (own, { folder }) => {
    renameSync(dirname(own), join(folder, 'moved'))
    return { argv: ['moved/agent.json'] }
  },
  'a link at the path, to a copy elsewhere': (own, { folder }) => {
    copyFileSync(own, join(folder, 'evil.json'))
    rmSync(own)
    symlinkSync(join(folder, 'evil.json'), own)
    return { argv: ['own/agent.json'] }
  },
  'a link in place of the folder': (own, { folder }) => {
    renameSync(dirname(own), join(folder, 'moved'))
    symlinkSync(join(folder, 'moved'), dirname(own))
    return { argv: ['own/agent.json'] }
  },
  'the file itself, with another path at the host': (own) => {
    const endpoint = 'https://depot.example/delete-everything'
    writeFileSync(own, JSON.stringify(definition({ tools: [{ ...DEPOT, endpoint }] })))
    return { argv: ['own/agent.json'] }
  },
  'the file itself, with one more tool at the host': (own) => {
    const more = { ...DEPOT, name: 'drop', endpoint: 'https://DEPOT.example./drop' }
    writeFileSync(own, JSON.stringify(definition({ tools: [DEPOT, more] })))
    return { argv: ['own/agent.json'] }
  },
}

const theft = Object.entries(THIEVES).map(
  ([by, make]): Omit<Attack, 'id'> => ({
    attack: 'claims the agent_id of another definition, to use its grant of a host',
    by,
    holds: 'the grant does not apply, and the tool is denied',
    try: async (t) => {
      const { place, own } = await granted(t)
      assert.equal(await gateOf(place, ['own/agent.json']), 'allow')
      const { argv, stdin } = make(own, place)
      assert.equal(await gateOf(place, argv, stdin), 'deny')
    },
  }),
)

const asksForCalls: JsonObject = { compliance: { human_in_the_loop: { enabled: true } } }
const RULE = 'send_mail to=*@ours.example'

const CODE = 'the vault code is 4711-ALPHA'
const REMEMBERS: JsonObject = {
  tools: [],
  memory: [{ scope: 'long_term', backend: 'sqlite', key: 'codes', content: 'No codes yet.' }],
}

/** A definition in `own/agent.json` that has saved a code in its memory. */
async function remembering(t: TestContext): Promise<{ place: Place; own: string }> {
  const place = stage(t)
  const own = join(place.folder, 'own', 'agent.json')
  mkdirSync(dirname(own))
  writeFileSync(own, JSON.stringify(definition(REMEMBERS)))
  const model = await models()
  model.reset(calling([{ tool: 'memory_save', args: { key: 'vault', content: CODE } }]))
  const { code, out } = await command(place, ['run', 'own/agent.json', '--input', 'Go', ...model.flags])
  assert.equal(code, 0, out)
  assert.match(await askedBy(place, 'own/agent.json'), /4711-ALPHA/)
  return { place, own }
}

/** Runs a definition, and returns all that its model was sent. */
async function askedBy(place: Place, ...argv: readonly string[]): Promise<string> {
  const model = await models()
  model.reset()
  const { code, out } = await command(place, ['run', ...argv, '--input', 'Go', ...model.flags])
  assert.equal(code, 0, out)
  assert.notEqual(model.asked.length, 0)
  return model.text
}

/** Who else claims the agent_id of the definition that remembers: what they make, and the command line that runs them. */
const READERS: Readonly<
  Record<
    string,
    (own: string, place: Place, t: TestContext) => Promise<readonly string[]> | readonly string[]
  >
> = {
  'a copy in the same folder': (own) => {
    copyFileSync(own, join(dirname(own), 'copy.json'))
    return ['own/copy.json']
  },
  'a hard link in another folder': (own, { folder }) => {
    mkdirSync(join(folder, 'evil'))
    linkSync(own, join(folder, 'evil', 'agent.json'))
    return ['evil/agent.json']
  },
  'a definition that has it as its sub-agent': (own, { folder }) => {
    writeFileSync(join(folder, 'root.json'), JSON.stringify(rootOf(own.slice(folder.length + 1))))
    return ['root.json']
  },
  'a sub-agent in a file': (_, { folder }) => {
    writeFileSync(join(folder, 'thief.json'), JSON.stringify(definition(REMEMBERS)))
    writeFileSync(join(folder, 'root.json'), JSON.stringify(rootOf('./thief.json')))
    return ['root.json']
  },
  'a sub-agent that is fetched from a URL': async (_, { folder }, t) => {
    const server = await listen(t, () => ({ body: definition(REMEMBERS) }))
    writeFileSync(join(folder, 'root.json'), JSON.stringify(rootOf(`${server.url}/thief.json`)))
    return ['root.json', '--allow-host', `127.0.0.1:${server.port}`]
  },
  'a sub-agent at a URL that ends in the path of the file': async (own, { folder }, t) => {
    const server = await listen(t, () => ({ body: definition(REMEMBERS) }))
    writeFileSync(
      join(folder, 'root.json'),
      JSON.stringify(rootOf(`${server.url}${own}#${pathToFileURL(own)}`)),
    )
    return ['root.json', '--allow-host', `127.0.0.1:${server.port}`]
  },
}

function rootOf(ref: string): JsonObject {
  const orchestration = { role: 'orchestrator', subagents: [{ ref, alias: 'h' }], pipeline: ['h'] }
  return definition({ name: 'Root', tools: [], orchestration }, { agent_id: 'root' })
}

const reading = Object.entries(READERS).map(
  ([by, make]): Omit<Attack, 'id'> => ({
    attack: 'claims the agent_id of another definition, to be sent its memory',
    by,
    holds: 'no model is sent the memory',
    try: async (t) => {
      const { place, own } = await remembering(t)
      const asked = await askedBy(place, ...(await make(own, place, t)))
      assert.match(asked, /No codes yet/)
      assert.doesNotMatch(asked, /4711-ALPHA/)
    },
  }),
)

const HOME_ELSEWHERE = 'elsewhere'

/** Runs a definition of the thief at the path of the granted file in another home, and returns the exported run. */
async function exportedAt(place: Place, agent: JsonObject): Promise<string> {
  const kept = readFileSync(join(place.folder, 'agent.json'))
  writeFileSync(join(place.folder, 'agent.json'), JSON.stringify(definition(agent)))
  const env = { WAYBILL_HOME: join(place.folder, HOME_ELSEWHERE) }
  const model = await models()
  model.reset(calling([{ tool: 'send_mail', args: { to: 'eve@ours.example' } }]))
  const argv = ['run', 'agent.json', '--tools', 'tools.mjs', '--input', 'Go', ...model.flags]
  assert.equal((await command(place, argv, { env })).code, 4)
  const { out } = await waybill(place, ['runs', 'export', 'last'], { env })
  writeFileSync(join(place.folder, 'agent.json'), kept)
  return out
}

const moved: readonly Omit<Attack, 'id'>[] = [
  {
    attack: 'has a run that waits for a person decided by the standing rule of another definition',
    by: 'a copy of the definition, and `resume`',
    holds: 'the call waits for a person',
    try: async (t) => {
      const place = stage(t, { agent: asksForCalls, files: { 'copy.json': definition(asksForCalls) } })
      const model = await models()
      model.reset(calling([{ tool: 'send_mail', args: { to: 'ada@ours.example' } }]))
      const argv = ['run', 'copy.json', '--tools', 'tools.mjs', '--input', 'Go', ...model.flags]
      const { code, value } = await command(place, argv)
      assert.equal(code, 4)
      const allow = ['grants', 'allow', 'call', RULE, '--agent', 'agent.json']
      assert.equal((await command(place, allow)).code, 0)
      renameSync(join(place.folder, 'agent.json'), join(place.folder, 'kept.json'))
      copyFileSync(join(place.folder, 'kept.json'), join(place.folder, 'copy.json'))
      const resume = ['resume', String(value.run_id), '--tools', 'tools.mjs']
      assert.equal((await command(place, resume)).code, 4)
      assert.deepEqual(place.sent(), [])
    },
  },
  {
    attack: 'has its call made by the standing rule of another definition',
    by: 'a run of another home, exported at the path of that definition and imported here',
    holds: 'the run is not resumed, and the call is not made',
    try: async (t) => {
      const place = stage(t, { agent: asksForCalls })
      const exported = await exportedAt(place, asksForCalls)
      const allow = ['grants', 'allow', 'call', RULE, '--agent', 'agent.json']
      assert.equal((await command(place, allow)).code, 0)
      const { code, value, out } = await command(place, ['runs', 'import', '-'], { stdin: exported })
      assert.equal(code, 0, out)
      const resume = ['resume', String(value.run_id), '--tools', 'tools.mjs']
      assert.equal((await command(place, resume)).value.error?.code, 'RUN_IMPORTED')
      const approve = ['approvals', 'approve', String(value.run_id)]
      assert.equal((await command(place, approve)).value.error?.code, 'RUN_IMPORTED')
      assert.deepEqual(place.sent(), [])
    },
  },
  {
    attack: 'is what a grant to an agent_id is given for',
    by: 'an imported run, which names any file as its definition',
    holds: 'the import does not count as a run of this home, and no grant is stored',
    try: async (t) => {
      const place = stage(t, { agent: asksForCalls })
      const exported = await exportedAt(place, { ...asksForCalls, goal: 'Send all.' })
      assert.equal((await command(place, ['runs', 'import', '-'], { stdin: exported })).code, 0)
      const { code } = await command(place, ['grants', 'allow', 'call', RULE, '--agent', AGENT_ID])
      assert.equal(code, 2)
      assert.deepEqual((await command(place, ['grants', 'list'])).value.grants, [])
    },
  },
  {
    attack: 'has its memory and its grants taken over by the import of a run',
    by: 'an imported run with the agent_id',
    holds: 'the import changes neither',
    try: async (t) => {
      const { place } = await remembering(t)
      const before = (await command(place, ['memory', 'list'])).out
      const exported = await exportedAt(place, { ...asksForCalls, memory: REMEMBERS.memory as JsonObject[] })
      assert.equal((await command(place, ['runs', 'import', '-'], { stdin: exported })).code, 0)
      assert.equal((await command(place, ['memory', 'list'])).out, before)
      assert.match(await askedBy(place, 'own/agent.json'), /4711-ALPHA/)
    },
  },
  {
    attack: 'uses the grant of another definition',
    by: 'a sub-agent that is fetched from a URL and has its agent_id',
    holds: 'the tool of the sub-agent is denied, and the host is not asked',
    try: async (t) => {
      const { place } = await granted(t)
      const server = await listen(t, () => ({ body: definition(OWNER) }))
      const model = await models()
      model.reset(calling([{ tool: 'depot', args: {} }]))
      writeFileSync(join(place.folder, 'root.json'), JSON.stringify(rootOf(`${server.url}/a.json`)))
      const hosts = ['--allow-host', `127.0.0.1:${server.port}`]
      const argv = ['run', 'root.json', '--input', 'Go', ...hosts, ...model.flags]
      const { out } = await command(place, argv)
      assert.match(out, /depot\.example/)
      assert.deepEqual(
        server.received.map(({ path }) => path),
        ['/a.json'],
      )
    },
  },
]

const attacks: readonly Omit<Attack, 'id'>[] = [
  ...theft,
  ...reading,
  ...moved,
  {
    attack: 'has the source of a file, to use its grant',
    by: 'a definition in code, with the path or URL of the file as its source',
    holds: 'the grant does not apply',
    try: async (t) => {
      const { place, own } = await granted(t)
      const value = definition(OWNER) as unknown as AgentDefinition
      for (const source of [own, pathToFileURL(own).href, undefined]) {
        const given = { home: place.home, env: {}, ...(source !== undefined && { source }) }
        const { tools } = await planRun(value, given)
        assert.equal(tools[0]?.gate, 'deny', source)
      }
    },
  },
  {
    attack: 'has a source that looks like a sub-agent below another source',
    by: 'a definition in code',
    holds: 'its identity is another one',
    try: async () => {
      const value = definition(OWNER) as unknown as AgentDefinition
      const child = { definition: value, definition_hash: 'c', folder: '/srv', places: [], subagents: [] }
      const root = { ...child, definition_hash: 'r' }
      const below = definitionIdentities([root, { ...child, file: '/srv/child.json' }], { source: 'desk' })
      assert.equal(below.c, 'source:desk > file:///srv/child.json')
      assert.notEqual(sourceIdentity(value, { source: 'desk > file:///srv/child.json' }), below.c)
    },
  },
  {
    attack: 'is read through a link that is changed before the source is looked up',
    by: 'a link to a definition, which is then put on the granted file',
    holds: 'its identity is that of the file that was read',
    try: async (t) => {
      const { place, own } = await granted(t)
      const [evil, link] = ['evil.json', 'link.json'].map((name) => join(place.folder, name)) as [
        string,
        string,
      ]
      writeFileSync(evil, JSON.stringify(definition({ goal: 'Take all.' })))
      symlinkSync(evil, link)
      const { definition: read, path, real } = readDefinitionFile(link, link)
      rmSync(link)
      symlinkSync(own, link)
      assert.equal(sourceIdentity(read, { file: path, real }), pathToFileURL(evil).href)
    },
  },
  {
    attack: 'claims the agent_id of another definition, to be asked nothing under its standing rule',
    by: 'a copy of the definition',
    holds: 'the call waits for a person',
    try: async (t) => {
      const place = stage(t, { agent: asksForCalls, files: { 'copy.json': definition(asksForCalls) } })
      const model = await models()
      const allow = ['grants', 'allow', 'call', RULE, '--agent', 'agent.json']
      assert.equal((await command(place, allow)).code, 0)
      for (const [file, code] of [
        ['copy.json', 4],
        ['agent.json', 0],
      ] as const) {
        model.reset(calling([{ tool: 'send_mail', args: { to: 'ada@ours.example' } }]))
        const argv = ['run', file, '--tools', 'tools.mjs', '--input', 'Go', ...model.flags]
        assert.equal((await command(place, argv)).code, code, file)
      }
    },
  },
  {
    attack: 'runs last under the agent_id of another definition',
    by: 'a grant that is given to the agent_id',
    holds: 'the agent_id is refused as ambiguous, and no grant is stored',
    try: async (t) => {
      const place = stage(t, { agent: asksForCalls, files: { 'evil.json': definition(asksForCalls) } })
      const model = await models()
      model.reset()
      await runAgent(place, model)
      await command(place, ['run', 'evil.json', '--tools', 'tools.mjs', '--input', 'Go', ...model.flags])
      const { code, value } = await command(place, ['grants', 'allow', 'call', RULE, '--agent', AGENT_ID])
      assert.deepEqual([code, value.error?.code], [2, 'AGENT_AMBIGUOUS'])
      assert.deepEqual((await command(place, ['grants', 'list'])).value.grants, [])
    },
  },
]

const controls: readonly Control[] = [
  {
    passes: 'the granted definition is started by other names of its file, and after an edit of its texts',
    try: async (t) => {
      const { place, own } = await granted(t)
      symlinkSync(own, join(place.folder, 'link.json'))
      symlinkSync(dirname(own), join(place.folder, 'folder'))
      writeFileSync(
        own,
        JSON.stringify(definition({ tools: [{ ...DEPOT, description: 'Our depot.' }], goal: 'Find.' })),
      )
      for (const file of ['own/agent.json', './own/../own/agent.json', own, 'link.json', 'folder/agent.json'])
        assert.equal(await gateOf(place, [file]), 'allow', file)
    },
  },
  {
    passes: 'a definition is sent its own memory, also by another name of its file',
    try: async (t) => {
      const { place, own } = await remembering(t)
      symlinkSync(own, join(place.folder, 'link.json'))
      for (const file of [own, 'link.json', './own/../own/agent.json'])
        assert.match(await askedBy(place, file), /4711-ALPHA/)
    },
  },
  {
    passes: 'a grant is given to an agent_id that only one definition has had runs with',
    try: async (t) => {
      const place = stage(t, { agent: asksForCalls })
      const model = await models()
      for (let round = 0; round < 2; round++) {
        model.reset()
        await runAgent(place, model)
      }
      assert.equal((await command(place, ['grants', 'allow', 'call', RULE, '--agent', AGENT_ID])).code, 0)
    },
  },
]

export const identity: Category = {
  name: 'Claiming to be another agent',
  enforced: 'the identity of a definition by its source, and the fingerprints of its tools',
  file: 'test/redteam/identity.test.ts',
  attacks: numbered('identity', attacks),
  controls,
}
