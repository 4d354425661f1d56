import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, test } from 'node:test'
import { providerChoices } from '../../src/cli/init/first-models.ts'
import { providerNames } from '../../src/policy/model-providers.ts'
import { BIN } from '../started-process.ts'
import { Place, ROOT, waybill } from './fixture.ts'
import { Terminal, terminal } from './real-terminal.ts'

const INIT = ['init', '--name', 'Clerk', '--goal', 'Help.', '--output', 'first.yaml']

const read = (place: Place, name: string) => readFileSync(join(place.folder, name), 'utf8')

/** A folder without the module of the other tests. */
async function begun(place: Place, ...flags: string[]) {
  mkdirSync(join(place.folder, 'new'))
  const at = INIT.map((word) => (word === 'first.yaml' ? 'new/first.yaml' : word))
  return waybill(place, [...at, ...flags])
}

describe('waybill init --tool', () => {
  test('writes the module that the next step names, with a function for each tool', async (t) => {
    const place = new Place(t)
    const { code, err } = await begun(place, '--tool', 'find_parcel', '--tool', 're-fund')
    assert.equal(code, 0)
    assert.match(err, /next waybill plan new\/first\.yaml --tools new\/tools\.mjs/)
    assert.equal((await waybill(place, ['validate', 'new/first.yaml', '--strict'])).code, 0)
    const { out } = await waybill(place, ['plan', 'new/first.yaml', '--tools', 'new/tools.mjs', '--json'])
    const { tools } = JSON.parse(out) as { tools: { name: string; gate: string }[] }
    assert.deepEqual(
      tools.map(({ name, gate }) => [name, gate]),
      [
        ['find_parcel', 'allow'],
        ['re-fund', 'allow'],
      ],
    )
    const module = await import(join(place.folder, 'new/tools.mjs'))
    await assert.rejects(() => module.tools['re-fund']({ query: 'x' }), /re-fund is not written yet/)
    assert.match(read(place, 'new/first.yaml'), /parameters_schema:\n {8}type: object\n/)
  })

  test('never replaces a module, not even with --force', async (t) => {
    const place = new Place(t)
    const before = read(place, 'tools.mjs')
    const { code, err } = await waybill(place, [...INIT, '--tool', 'find_parcel', '--force'])
    assert.equal(code, 0)
    assert.match(err, /tools\.mjs is already there: add the functions to it/)
    assert.equal(read(place, 'tools.mjs'), before)
  })

  test('--approval makes an agent that stops for each write, as YAML and as JSON', async (t) => {
    const place = new Place(t)
    for (const file of ['new.yaml', 'new.json']) {
      const words = ['--tool', 'send_gift', '--approval', '--output', file]
      assert.equal((await waybill(place, [...INIT.slice(0, -2), ...words])).code, 0)
      const said = await waybill(place, ['run', file, '--rehearse', '--ask', '--input', 'Go'])
      assert.equal(said.code, 4, said.err)
    }
    await waybill(place, [...INIT, '--tool', 'send_gift'])
    assert.equal(
      (await waybill(place, ['run', 'first.yaml', '--rehearse', '--ask', '--input', 'Go'])).code,
      0,
    )
  })

  test('without tools there is no module', async (t) => {
    const place = new Place(t)
    await begun(place)
    assert.equal(existsSync(join(place.folder, 'new/tools.mjs')), false)
  })

  test('each function has the type of its arguments, so that an editor checks it', async (t) => {
    const place = new Place(t)
    await begun(place, '--tool', 'find_parcel', '--tool', 'refund')
    const module = read(place, 'new/tools.mjs')
    assert.equal(module.match(/@param \{\{ query: string \}\} args/g)?.length, 2)
    assert.match(module, /@param[^*]*\n {3}\* @returns [^\n]*\n {3}\*\/\n {2}"find_parcel": async \(args\)/)
  })

  test('--json lists all files that were written, and no other', async (t) => {
    const place = new Place(t)
    const files = async (...flags: string[]) => {
      const { out } = await waybill(place, [...INIT, '--json', ...flags])
      return (JSON.parse(out).files as string[]).map((path) => relative(place.folder, path))
    }
    assert.deepEqual(await files(), ['first.yaml', '.agent.schema.json'])
    // The folder of the test has a module already.
    assert.deepEqual(await files('--tool', 'a', '--output', 'b.yaml'), ['b.yaml'])
    assert.deepEqual(await files('--tool', 'a', '--output', 'c.json'), ['c.json'])
    rmSync(join(place.folder, 'tools.mjs'))
    rmSync(join(place.folder, '.agent.schema.json'))
    assert.deepEqual(await files('--tool', 'a', '--force'), ['first.yaml', 'tools.mjs', '.agent.schema.json'])
  })
})

describe('the schema for editors', () => {
  const published = readFileSync(join(ROOT, 'schemas/aaif/agent.schema.json'), 'utf8')

  test('is written next to the definition, which names it', async (t) => {
    const place = new Place(t)
    const { err } = await begun(place)
    assert.match(
      read(place, 'new/first.yaml'),
      /^# yaml-language-server: \$schema=\.\/\.agent\.schema\.json\n/,
    )
    assert.equal(read(place, 'new/.agent.schema.json'), published)
    assert.match(err, /✓ new\/\.agent\.schema\.json was written/)
    const { out, code } = await waybill(place, ['validate', 'new', '--json'])
    assert.equal(code, 0, out)
    assert.equal(JSON.parse(out).files.length, 1, 'a schema is not a definition')
  })

  test('a file with its name is replaced only with --force', async (t) => {
    const place = new Place(t)
    place.write('.agent.schema.json', '{}')
    const { err } = await waybill(place, INIT)
    assert.equal(read(place, '.agent.schema.json'), '{}')
    assert.match(read(place, 'first.yaml'), /\$schema=\.\/\.agent\.schema\.json/)
    assert.doesNotMatch(err, /agent\.schema/)
    await waybill(place, [...INIT, '--force'])
    assert.equal(read(place, '.agent.schema.json'), published)
  })

  test('is that of the package where Waybill is installed', async (t) => {
    const place = new Place(t)
    const folder = join(place.folder, 'node_modules/waybill/schemas/aaif')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'agent.schema.json'), '{}')
    await waybill(place, INIT)
    assert.match(
      read(place, 'first.yaml'),
      /^# yaml-language-server: \$schema=\.\/node_modules\/waybill\/schemas\/aaif\/agent\.schema\.json\n/,
    )
    assert.equal(existsSync(join(place.folder, '.agent.schema.json')), false)
    assert.equal((await waybill(place, ['validate', 'first.yaml'])).code, 0)
  })

  test('a JSON definition has none, because it has no comments', async (t) => {
    const place = new Place(t)
    await waybill(place, [...INIT, '--output', 'first.json'])
    assert.equal(existsSync(join(place.folder, '.agent.schema.json')), false)
  })
})

/** The commands that `waybill init` printed. */
const commandsIn = (text: string) => [...text.matchAll(/^ +next (.+)$/gm)].map(([, command = '']) => command)

describe('the next steps of waybill init', () => {
  const cases: readonly (readonly [rule: string, flags: readonly string[], codes: readonly number[]])[] = [
    ['without tools', [], [0, 0, 1]],
    ['with tools', ['--tool', 'find_parcel'], [0, 0, 1]],
    ['with an approval', ['--tool', 'send_gift', '--approval'], [0, 4, 0, 1]],
    [
      'with approvals of three tools',
      ['a', 'b', 'c'].flatMap((tool) => ['--tool', tool]).concat('--approval'),
      [0, 4, 0, 0, 0, 1],
    ],
    ['with an approval and no tool', ['--approval'], [0, 0, 1]],
    ['with an odd name', ['--output', "new/it's one.yaml", '--tool', 'a', '--approval'], [0, 4, 0, 1]],
    ['with a provider of its own', ['--provider', 'custom', '--model', 'x'], [0, 0, 1]],
    [
      'with a server of its own',
      ['--provider', 'custom', '--model', 'x', '--base-url', 'http://127.0.0.1:9/v1'],
      // Nothing is missing: this server needs no key.
      [0, 0, 0],
    ],
    [
      'with a provider of its own, as JSON',
      ['--output', 'new/first.json', '--provider', 'custom', '--model', 'x'],
      [0, 0, 1],
    ],
  ]
  for (const [rule, flags, codes] of cases)
    test(`work when they are pasted: ${rule}`, async (t) => {
      const place = new Place(t)
      const { err, code } = await begun(place, ...flags)
      assert.equal(code, 0, err)
      // A rehearsal stops only if there is something to approve.
      assert.equal(err.includes(' --ask '), codes.includes(4), err)
      const commands = commandsIn(err)
      if (codes.join() === '0,4,0,1') assert.equal(commands[2], 'waybill approvals approve last --resume')
      const ends = commands.map((command) => pasted(place, command))
      assert.deepEqual(
        ends.map(({ status }) => status),
        codes,
        `${err}\n${ends.map(({ stderr }) => stderr).join('\n')}`,
      )
      // Only the key is missing, if any.
      if (codes.at(-1) === 1) assert.match(ends.at(-1)?.stdout ?? '', /is not set|--base-url/)
    })

  test('a module that was there is used by no rehearsal, because it may lack the functions', async (t) => {
    const place = new Place(t)
    const { err } = await waybill(place, [...INIT, '--tool', 'find_parcel'])
    const [, rehearsal = '', plan = ''] = commandsIn(err)
    assert.equal(rehearsal, 'waybill run first.yaml --rehearse "Hello"')
    assert.equal(plan, 'waybill plan first.yaml --tools tools.mjs')
    assert.equal(pasted(place, rehearsal).status, 0)
  })
})

/** Runs a command line in a shell whose PATH has the program. */
function pasted(place: Place, command: string) {
  const PATH = `${dirname(BIN)}:${process.env.PATH}`
  const env = { ...place.env, PATH }
  return spawnSync('sh', ['-c', command], { cwd: place.folder, env, encoding: 'utf8', input: '' })
}

test('providers that can be used now are the first of the list', async () => {
  const has = (name: string) => name === 'MISTRAL_API_KEY' || name === 'ANTHROPIC_API_KEY'
  const choices = await providerChoices({ has })
  assert.deepEqual(choices.slice(0, 4), [
    { value: 'anthropic', hint: 'ANTHROPIC_API_KEY is set' },
    { value: 'mistral', hint: 'MISTRAL_API_KEY is set' },
    { value: 'ollama', hint: 'on this machine, without a key' },
    { value: 'openai', hint: 'needs OPENAI_API_KEY' },
  ])
  assert.deepEqual(choices.map(({ value }) => value).sort(), [...providerNames(), 'custom'].sort())
})

terminal(
  'waybill init asks for all that it needs, and its next steps work when they are typed',
  async (t) => {
    const place = new Place(t)
    const PATH = `${dirname(BIN)}:${process.env.PATH}`
    const tty = new Terminal(t, place, { ANTHROPIC_API_KEY: 'of-this-test', PATH })
    mkdirSync(join(place.folder, 'new'))
    tty.command('init', '--output', 'new/first.yaml')
    await tty.shows(/Name of the agent/)
    tty.key('Enter')
    await tty.shows(/Required\./)
    tty.type('Desk')
    tty.key('Enter')
    await tty.shows(/Goal of the agent/)
    tty.type('Answer.')
    tty.key('Enter')
    await tty.shows(
      /Which model provider\?[\s\S]*anthropic \(ANTHROPIC_API_KEY is set\)[\s\S]*ollama \(on this machine[\s\S]*openai \(needs/,
    )
    tty.key('Enter')
    await tty.shows(/Model id[\s\S]*claude-sonnet/)
    tty.key('Enter')
    await tty.shows(/Tools that the agent may call\?/)
    tty.type('find_parcel, re fund!')
    tty.key('Enter')
    await tty.shows(/fund!: use letters/)
    tty.key('BSpace', 'BSpace', 'BSpace', 'BSpace', 'BSpace', 'BSpace')
    tty.type('fund')
    tty.key('Enter')
    await tty.shows(/Must a person approve/)
    tty.key('Enter')
    assert.equal(await tty.code(), 0)
    const text = read(place, 'new/first.yaml')
    assert.match(
      text,
      /name: "Desk"[\s\S]*provider: "anthropic"\n {4}preferred: "claude[\s\S]*find_parcel[\s\S]*"refund"[\s\S]*human_in_the_loop: \{ enabled: true \}/,
    )
    assert.match(read(place, 'new/tools.mjs'), /"find_parcel": async[\s\S]*"refund": async/)
    const [validate, run = '', ...approvals] = commandsIn(tty.screen())
    assert.equal(validate, 'waybill validate new/first.yaml')
    tty.type(run)
    tty.key('Enter')
    for (const tool of ['find_parcel', 'refund']) {
      await tty.shows(new RegExp(`${tool} needs your approval[\\s\\S]*●[^\n]*Decide later`))
      tty.key('Enter')
    }
    await tty.shows(/awaiting approval \(rehearsal\)[\s\S]*^\$ $/m)
    for (const approve of approvals.slice(0, 2)) {
      tty.type(approve)
      tty.key('Enter')
    }
    await tty.shows(/✓ refund rehearsal_2: approve[\s\S]*completed \(rehearsal\)/)
  },
)

terminal('waybill init does not ask for what is given', async (t) => {
  const place = new Place(t)
  const tty = new Terminal(t, place)
  const given = ['--goal', 'Help.', '--provider', 'mistral', '--model', 'm', '--tool', 'a', '--approval']
  tty.command('init', ...given, '--output', 'first.yaml')
  await tty.shows(/Name of the agent/)
  tty.type('Desk')
  tty.key('Enter')
  assert.equal(await tty.code(), 0)
  assert.match(
    read(place, 'first.yaml'),
    /name: "Desk"[\s\S]*goal: "Help\."[\s\S]*provider: "mistral"\n {4}preferred: "m"[\s\S]*name: "a"[\s\S]*human_in_the_loop/,
  )
})

describe('a tools module that cannot be used', () => {
  const broken: readonly (readonly [rule: string, file: string, text: string, line: number])[] = [
    ['a syntax error', 'a.mjs', 'export const tools = {\n  a: async () => 1 2\n}\n', 2],
    ['a text that ends too early', 'b.mjs', 'export const tools = {\n  a: async () => {\n', 3],
    ['an error while it is loaded', 'c.mjs', 'const a = null\na.b\nexport const tools = {}\n', 2],
    ['a syntax error in TypeScript', 'd.ts', 'export const tools = {\n  a: async () => 1 2\n}\n', 2],
  ]
  for (const [rule, file, text, line] of broken)
    test(`${rule} is reported with its line`, async (t) => {
      const place = new Place(t)
      place.write(file, text)
      const { code, out } = await waybill(place, ['plan', 'agent.json', '--tools', file, '--json'])
      const { error } = JSON.parse(out)
      assert.deepEqual([code, error.code, error.line], [2, 'TOOLS_MODULE_UNREADABLE', line], out)
    })

  test('a function with a similar name is named', async (t) => {
    const place = new Place(t)
    place.write('near.mjs', 'export const tools = { send_mial: async () => 1, other: async () => 2 }\n')
    const { out } = await waybill(place, ['plan', 'agent.json', '--tools', 'near.mjs', '--json'])
    const [tool] = JSON.parse(out).tools
    assert.equal(tool.gate, 'deny')
    assert.match(tool.reason, /the module exports send_mial, which no tool uses: did you mean send_mail\?/)
  })
})
