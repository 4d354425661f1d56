import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { promisify } from 'node:util'
import type { JsonObject } from '../../../src/document/json.ts'
import { type Place, waybill } from '../../cli/fixture.ts'
import { BIN } from '../../started-process.ts'
import { type Attack, type Category, type Control, numbered } from '../attack.ts'
import type { Ended } from '../command-process.ts'
import { CommandProcesses } from '../command-processes.ts'
import { definition, stage } from '../world.ts'

const LIMIT_MS = 30_000

/** A read that never ends would stop the process of the test. */
export const processes = new CommandProcesses(LIMIT_MS)

async function run({ folder, env }: Place, argv: readonly string[]): Promise<Ended & { text: string }> {
  const ended = await processes.run({ argv, cwd: folder, env })
  return { ...ended, text: `${ended.out}\n${ended.err}` }
}

interface Made {
  /** The path to put it at. */
  readonly at: string
  /** A folder outside of that of the definition. */
  readonly outside: string
}

type Make = (made: Made, t: TestContext) => void | Promise<void>

const fifo: Make = ({ at }) => void execFileSync('mkfifo', [at])
const linkTo =
  (target: string): Make =>
  ({ at }) =>
    symlinkSync(target, at)

/** What can be in place of a file. A reader that opens it does not end, or reads more than the memory holds. */
const NO_FILES: Readonly<Record<string, Make>> = {
  'a pipe': fifo,
  'a link to a pipe': ({ at, outside }) => {
    execFileSync('mkfifo', [join(outside, 'pipe')])
    symlinkSync(join(outside, 'pipe'), at)
  },
  'a link to a pipe in the same folder': ({ at }) => {
    execFileSync('mkfifo', [`${at}.pipe`])
    symlinkSync(`${at}.pipe`, at)
  },
  'a link to /dev/zero': linkTo('/dev/zero'),
  'a link to /dev/stdin, an open pipe': linkTo('/dev/stdin'),
  'a link to /proc/self/fd/0': linkTo('/proc/self/fd/0'),
  'a link to itself': ({ at }) => symlinkSync(at, at),
  'a file of 64 GiB without contents': ({ at }) => {
    writeFileSync(at, '')
    truncateSync(at, 64 * 2 ** 30)
  },
  'a socket': async ({ at }, t) => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(at, resolve))
    t.after(() => server.close())
  },
  'a folder': ({ at }) => mkdirSync(at),
}

const kinds = (names: readonly string[]) => Object.entries(NO_FILES).filter(([name]) => names.includes(name))

const CONTROL_ID = '5b0f6a0e-92a4-4f8a-9d57-3c1f6e2b8a77'
const HELPER: JsonObject = definition(
  { name: 'Outsider', goal: 'Help from outside.', tools: [] },
  { agent_id: CONTROL_ID },
)

function calling(ref: string): JsonObject {
  return { tools: [], orchestration: { role: 'orchestrator', subagents: [{ ref, alias: 'h' }] } }
}

/** A stage whose definition is in a folder of its own, with a folder outside of it. */
function nested(t: TestContext, agent: JsonObject): { place: Place; inside: string; outside: string } {
  const place = stage(t)
  const [inside, outside] = ['agents', 'outside'].map((name) => join(place.folder, name)) as [string, string]
  mkdirSync(inside)
  mkdirSync(outside)
  writeFileSync(join(inside, 'agent.json'), JSON.stringify(definition(agent)))
  return { place, inside, outside }
}

/** A model that a plan can choose; no command here asks it. */
const MODEL = ['--model', 'custom/x', '--base-url', 'http://127.0.0.1:1/v1'] as const
const PLAN = ['plan', 'agents/agent.json', '--json', ...MODEL] as const

/** Paths that a definition names or that belong to it, each with the part of the definition that makes Waybill read it. */
const READ: Readonly<Record<string, { agent: JsonObject; file: string }>> = {
  'a file beside the definition, in the search for a sub-agent': {
    agent: calling('Missing'),
    file: 'z.json',
  },
  'the path of a sub-agent': { agent: calling('./z.json'), file: 'z.json' },
  'a file of the context': {
    agent: { tools: [], context: [{ type: 'file', value: 'notes.txt' }] },
    file: 'notes.txt',
  },
  'a schema of the context': {
    agent: { tools: [], context: [{ type: 'schema_ref', value: 'schema.json' }] },
    file: 'schema.json',
  },
  'the OpenAPI document of a tool': {
    agent: { tools: [{ name: 'api', description: 'Calls.', protocol: 'openapi', endpoint: 'api.json' }] },
    file: 'api.json',
  },
}

/** Every kind in the search for a sub-agent, and the one that never ends in the other places. */
const inFolders = Object.entries(READ).flatMap(([by, { agent, file }], place) =>
  kinds(place === 0 ? Object.keys(NO_FILES) : ['a pipe']).map(
    ([attack, make]): Omit<Attack, 'id'> => ({
      attack: `puts ${attack} in place of a file`,
      by,
      holds: 'planning ends, and reads nothing of it',
      try: async (t) => {
        const { place, inside, outside } = nested(t, agent)
        await make({ at: join(inside, file), outside }, t)
        const { code, out } = await run(place, PLAN)
        assert.equal(code, 0, out)
        assert.equal(JSON.parse(out).agent_name, 'Clerk')
      },
    }),
  ),
)

/** Files beside the definition that can only restrict a run: a run must not start without them. */
const besideIt = (['waybill.yaml', 'agent.lock.json'] as const).flatMap((file) =>
  kinds(['a pipe', 'a link to /dev/zero']).map(
    ([attack, make]): Omit<Attack, 'id'> => ({
      attack: `puts ${attack} in its place`,
      by: `${file} beside the definition`,
      holds: 'the command ends with an error that names the file',
      try: async (t) => {
        const tool = { name: 'api', description: 'Calls.', protocol: 'openapi', endpoint: 'api.json' }
        const { place, inside, outside } = nested(t, { tools: [tool] })
        await make({ at: join(inside, file), outside }, t)
        const { code, out } = await run(place, PLAN)
        const { error } = JSON.parse(out)
        assert.deepEqual([code, error.file.endsWith(file)], [2, true], out)
        assert.match(error.code, /^(?:CONFIG_UNREADABLE|TOOL_LOCK_INVALID)$/)
      },
    }),
  ),
)

/** Ways from the folder of the definition to a definition outside of it, each with the reference that names it. */
const OUTSIDE: Readonly<Record<string, { ref: string; make?: Make }>> = {
  'a link, by its agent_id': {
    ref: CONTROL_ID,
    make: ({ at, outside }) => symlinkSync(join(outside, 'o.json'), at),
  },
  'a link, by its name': {
    ref: 'Outsider',
    make: ({ at, outside }) => symlinkSync(join(outside, 'o.json'), at),
  },
  'a link, by its file name': {
    ref: 'link',
    make: ({ at, outside }) => symlinkSync(join(outside, 'o.json'), at),
  },
  'a link, by its path': {
    ref: './link.json',
    make: ({ at, outside }) => symlinkSync(join(outside, 'o.json'), at),
  },
  'a relative link, by its name': { ref: 'Outsider', make: ({ at }) => symlinkSync('../outside/o.json', at) },
  'a link to a link': {
    ref: 'Outsider',
    make: ({ at, outside }) => {
      symlinkSync(join(outside, 'o.json'), `${at}.next`)
      symlinkSync(`${at}.next`, at)
    },
  },
  'a link to the folder, by the name': {
    ref: 'Outsider',
    make: ({ at, outside }) => symlinkSync(outside, at.replace('.json', '')),
  },
  'a link to the folder, by the path': {
    ref: 'link/o.json',
    make: ({ at, outside }) => symlinkSync(outside, at.replace('.json', '')),
  },
  'the parent folder': { ref: '../outside/o.json' },
  'the parent folder, behind a folder': {
    ref: './x/../../outside/o.json',
    make: ({ at }) => mkdirSync(join(at, '../x')),
  },
  'the parent folder, without extension': { ref: '../outside/o' },
}

const leadingOut = Object.entries(OUTSIDE).map(
  ([by, { ref, make }]): Omit<Attack, 'id'> => ({
    attack: 'makes a definition outside of the folder its sub-agent',
    by,
    holds: 'the sub-agent is not found, and cannot be called',
    try: async (t) => {
      const { place, inside, outside } = nested(t, calling(ref))
      writeFileSync(join(outside, 'o.json'), JSON.stringify(HELPER))
      await make?.({ at: join(inside, 'link.json'), outside }, t)
      const plan = JSON.parse((await waybill(place, PLAN)).out)
      assert.equal(plan.subagents[0].found, undefined)
      assert.equal(plan.tools[0].gate, 'deny')
    },
  }),
)

const searched: readonly Omit<Attack, 'id'>[] = [
  ...kinds(['a pipe', 'a link to /dev/zero', 'a link to itself']).map(
    ([attack, make]): Omit<Attack, 'id'> => ({
      attack: `puts ${attack} among the documents`,
      by: 'a folder that is validated',
      holds: 'it is reported as unreadable, and the others are validated',
      try: async (t) => {
        const { place, inside, outside } = nested(t, { tools: [] })
        await make({ at: join(inside, 'z.json'), outside }, t)
        const { code, out } = await run(place, ['validate', 'agents', '--format', 'json'])
        const { files } = JSON.parse(out)
        assert.equal(code, 2)
        assert.deepEqual(
          files.map(({ ok }: { ok: boolean }) => ok),
          [true, false],
        )
        assert.match(files[1].issues[0].code, /^FILE_(?:UNREADABLE|NOT_REGULAR)$/)
      },
    }),
  ),
  {
    attack: 'shows the lines of a file outside of the folder',
    by: 'a link in a folder that is validated',
    holds: 'the file is not read',
    try: async (t) => {
      const { place, inside, outside } = nested(t, { tools: [] })
      writeFileSync(join(outside, 'private.json'), '{"zebra-quartz-lantern": }')
      symlinkSync(join(outside, 'private.json'), join(inside, 'z.json'))
      const { code, text } = await run(place, ['validate', 'agents'])
      assert.equal(code, 2)
      assert.doesNotMatch(text, /zebra-quartz/)
    },
  },
  {
    attack: 'stops the tests',
    by: 'a pipe in a corpus',
    holds: 'the command ends with an error that names the pipe',
    try: async (t) => {
      const place = stage(t)
      mkdirSync(join(place.folder, 'corpus', 'valid'), { recursive: true })
      execFileSync('mkfifo', [join(place.folder, 'corpus', 'valid', 'z.json')])
      const { code, text } = await run(place, ['conformance', 'test', 'corpus'])
      assert.equal(code, 2)
      assert.match(text, /FILE_NOT_REGULAR.*z\.json.*pipe/)
    },
  },
]

/** Commands with a path that a person gives; a pipe without a writer must not stop them. */
const GIVEN: readonly (readonly string[])[] = [
  ['plan', 'PIPE'],
  ['plan', 'agent.json', '--config', 'PIPE'],
  ['plan', 'agent.json', '--tools', 'PIPE'],
  ['run', 'agent.json', '--rehearse', '--input', '@PIPE'],
  ['run', 'agent.json', '--rehearse', '--batch', 'PIPE'],
  ['audit', 'verify', 'PIPE'],
]

const given = GIVEN.map(
  (argv): Omit<Attack, 'id'> => ({
    attack: 'has a pipe in place of the file',
    by: `waybill ${argv.join(' ')}`,
    holds: 'the command ends with an error',
    try: async (t) => {
      const place = stage(t)
      execFileSync('mkfifo', [join(place.folder, 'PIPE')])
      const { code, text } = await run(place, argv)
      assert.ok(code === 1 || code === 2, text)
      assert.doesNotMatch(text, /INTERNAL/)
    },
  }),
)

const controls: readonly Control[] = [
  {
    passes:
      'the same definition inside the folder is found by id, by name, by path and by a link that stays inside',
    try: async (t) => {
      for (const ref of [CONTROL_ID, 'Outsider', './own/o.json', './link.json']) {
        const { place, inside } = nested(t, calling(ref))
        mkdirSync(join(inside, 'own'))
        writeFileSync(join(inside, 'own', 'o.json'), JSON.stringify(HELPER))
        symlinkSync('own/o.json', join(inside, 'link.json'))
        const plan = JSON.parse((await waybill(place, PLAN)).out)
        assert.deepEqual([ref, plan.tools[0].gate], [ref, 'allow'])
      }
    },
  },
  {
    passes: 'a folder of agents that is itself a link is searched, and a link to the definition works',
    try: async (t) => {
      const { place, inside } = nested(t, calling('Outsider'))
      writeFileSync(join(inside, 'o.json'), JSON.stringify(HELPER))
      symlinkSync(inside, join(place.folder, 'linked'))
      symlinkSync('agents/agent.json', join(place.folder, 'start.json'))
      for (const argv of [['linked/agent.json'], ['start.json', '--agents', 'linked']])
        assert.equal(
          JSON.parse((await waybill(place, ['plan', ...argv, '--json', ...MODEL])).out).tools[0].gate,
          'allow',
        )
    },
  },
  {
    passes: 'a context file inside is read, also through a link that stays inside',
    try: async (t) => {
      const { place, inside } = nested(t, { tools: [], context: [{ type: 'file', value: 'notes.txt' }] })
      writeFileSync(join(inside, 'real.txt'), 'Closed on Mondays.')
      symlinkSync('real.txt', join(inside, 'notes.txt'))
      assert.match(JSON.parse((await run(place, PLAN)).out).system_prompt, /Closed on Mondays/)
    },
  },
  {
    passes:
      'pipes that a person gives are read: <(command), /dev/stdin, a named pipe with a writer, and /dev/null',
    try: async (t) => {
      const place = stage(t, { agent: { tools: [] } })
      execFileSync('mkfifo', [join(place.folder, 'PIPE')])
      const shell = async (line: string) => {
        const script = line.replaceAll('WAYBILL', BIN).replaceAll('--json', `--json ${MODEL.join(' ')}`)
        const options = { cwd: place.folder, env: place.env, timeout: LIMIT_MS }
        return (await promisify(execFile)('bash', ['-c', script], options)).stdout
      }
      const plans = [
        'WAYBILL plan <(sleep 0.2; cat agent.json) --json',
        'cat agent.json | WAYBILL plan /dev/stdin --json',
        'WAYBILL plan /dev/stdin --json < agent.json',
        '(sleep 0.5; cat agent.json > PIPE) & WAYBILL plan PIPE --json; wait',
        'WAYBILL plan agent.json --config /dev/null --env-file <(echo A=b) --json',
      ].map(async (line) => assert.equal(JSON.parse(await shell(line)).agent_name, 'Clerk', line))
      await Promise.all([...plans, shell('WAYBILL validate <(cat agent.json)')])
    },
  },
  {
    passes: 'a linked document is validated when it is named',
    try: async (t) => {
      const { place, inside, outside } = nested(t, { tools: [] })
      writeFileSync(join(outside, 'o.json'), JSON.stringify(HELPER))
      symlinkSync(join(outside, 'o.json'), join(inside, 'z.json'))
      assert.equal((await run(place, ['validate', 'agents/z.json'])).code, 0)
    },
  },
]

export const files: Category = {
  name: 'Files that are not what they seem',
  enforced: 'one reader, which opens only regular files of bounded size, inside the folder of the definition',
  file: 'test/redteam/files.test.ts',
  attacks: numbered('file', [...inFolders, ...besideIt, ...leadingOut, ...searched, ...given]),
  controls,
}
