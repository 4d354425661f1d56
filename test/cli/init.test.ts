import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { Place, waybill } from './fixture.ts'
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

  test('names the schema for editors where Waybill is installed, and only there', async (t) => {
    const place = new Place(t)
    await waybill(place, INIT)
    assert.doesNotMatch(read(place, 'first.yaml'), /yaml-language-server/)
    const folder = join(place.folder, 'node_modules/waybill/schemas/aaif')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'agent.schema.json'), '{}')
    await waybill(place, [...INIT, '--force'])
    assert.match(
      read(place, 'first.yaml'),
      /^# yaml-language-server: \$schema=\.\/node_modules\/waybill\/schemas\/aaif\/agent\.schema\.json\n/,
    )
    assert.equal((await waybill(place, ['validate', 'first.yaml'])).code, 0)
  })
})

terminal(
  'waybill init asks for name, goal, provider, model and tools, without invented defaults',
  async (t) => {
    const place = new Place(t)
    const tty = new Terminal(t, place)
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
    await tty.shows(/Which model provider\?[\s\S]*openai[\s\S]*anthropic/)
    tty.key('Down', 'Enter')
    await tty.shows(/Model id/)
    tty.key('Enter')
    await tty.shows(/Tools that the agent may call\?/)
    tty.type('find_parcel, refund')
    tty.key('Enter')
    assert.equal(await tty.code(), 0)
    const text = read(place, 'new/first.yaml')
    assert.match(
      text,
      /name: "Desk"[\s\S]*provider: "anthropic"\n {4}preferred: "claude[\s\S]*find_parcel[\s\S]*refund/,
    )
    assert.match(read(place, 'new/tools.mjs'), /"find_parcel": async[\s\S]*"refund": async/)
  },
)

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
