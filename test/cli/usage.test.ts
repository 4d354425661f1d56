import assert from 'node:assert/strict'
import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { COMMANDS } from '../../src/cli/commands.ts'
import { Place, waybill } from './fixture.ts'

describe('usage errors', () => {
  const cases: readonly [why: string, argv: readonly string[], code: string, says: RegExp][] = [
    ['a file that is not there', ['plan', 'gone.json'], 'FILE_UNREADABLE', /no such file/],
    ['another ending', ['plan', './agent.yaml'], 'FILE_UNREADABLE', /did you mean "\.\/agent\.json"\?/],
    ['a module as the definition', ['run', 'tools.mjs', '--input', 'x'], 'FILE_UNREADABLE', /a program/],
    ['a folder', ['plan', 'folder'], 'FILE_UNREADABLE', /folder/],
    ['an empty file', ['plan', 'empty.json'], 'FILE_EMPTY', /empty/],
    ['empty standard input', ['plan', '-'], 'FILE_EMPTY', /standard input is empty/],
    [
      'an input that is not there',
      ['run', 'agent.json', '--rehearse', '--input', '@gone'],
      'INPUT_UNREADABLE',
      /no such file/,
    ],
    [
      'an --env-file that is a folder',
      ['plan', 'agent.json', '--env-file', 'folder'],
      'ENV_FILE_UNREADABLE',
      /folder/,
    ],
    [
      'a --config that does not exist',
      ['plan', 'agent.json', '--config', 'gone.yaml'],
      'CONFIG_UNREADABLE',
      /there is no such file/,
    ],
    [
      'a --config with a typing error',
      ['plan', 'agent.json', '--config', 'slip.yaml'],
      'CONFIG_INVALID',
      /did you mean "allow_hosts"\?/,
    ],
    [
      'a --config with a typing error in a nested member',
      ['plan', 'agent.json', '--config', 'deep.yaml'],
      'CONFIG_INVALID',
      /\/mcp_servers\/office\/comand.*did you mean "command"\? valid members: command, args/s,
    ],
    ['an invalid budget', ['plan', 'agent.json', '--budget', 'fun=3'], 'BUDGET_INVALID', /fun=3/],
    [
      'a budget that does not exist',
      ['plan', 'agent.json', '--budget', 'dollars=1'],
      'BUDGET_INVALID',
      /there is no budget "dollars".*usd=N/s,
    ],
    [
      'a model without a provider',
      ['plan', 'agent.json', '--model', 'gpt'],
      'MODEL_INVALID',
      /PROVIDER\/MODEL/,
    ],
    ['a run that does not exist', ['resume', 'missing'], 'RUN_NOT_FOUND', /missing/],
    [
      'a tools module that does not exist',
      ['plan', 'agent.json', '--tools', 'gone.mjs'],
      'TOOLS_MODULE_UNREADABLE',
      /no such file/,
    ],
    ['an option that does not exist', ['plan', 'agent.json', '--rehears'], 'USAGE', /--rehearse/],
    ['a command that does not exist', ['valdiate', 'agent.json'], 'USAGE', /validate/],
    ['no file', ['run'], 'USAGE', /missing required argument/],
    ['a format that does not exist', ['plan', 'agent.json', '--format', 'xml'], 'USAGE', /pretty, json/],
  ]
  for (const [why, argv, code, says] of cases) {
    test(`${why}: exit 2 with a hint, as text and as one JSON value`, async (t) => {
      const place = new Place(t)
      mkdirSync(join(place.folder, 'folder'))
      place.write('empty.json', '')
      place.write('slip.yaml', 'allow_host: [api.parcels.example]')
      place.write('deep.yaml', 'mcp_servers: { office: { comand: mcp } }')
      const person = await waybill(place, argv)
      assert.equal(person.code, 2)
      assert.equal(person.out, '')
      assert.match(person.err, says)
      const form = argv.includes('--format') ? ['--json'] : ['--format', 'json']
      const program = await waybill(place, [...argv, ...form])
      assert.equal(program.code, 2)
      const { error } = JSON.parse(program.out)
      assert.equal(error.code, code)
      assert.match(`${error.message} ${error.hint}`, says)
    })
  }

  test('a file without read permission', async (t) => {
    if (process.getuid?.() === 0) return
    const place = new Place(t)
    chmodSync(join(place.folder, 'agent.json'), 0)
    const { code, err } = await waybill(place, ['plan', 'agent.json'])
    assert.equal(code, 2)
    assert.match(err, /permissions/)
  })

  test('an invalid definition: exit 1 with place and rule', async (t) => {
    const place = new Place(t)
    place.write('bad.json', '{"sc_standard":"SC-006","agent":{"name":"A"}}')
    const { code, out } = await waybill(place, ['plan', 'bad.json', '--json'])
    assert.equal(code, 1)
    const { error } = JSON.parse(out)
    assert.equal(error.code, 'DEFINITION_INVALID')
    assert.equal(error.file, 'bad.json')
    assert.equal(typeof error.line, 'number')
  })
})

describe('help', () => {
  test('all commands and subcommands have examples', async (t) => {
    const place = new Place(t)
    const paths: string[][] = COMMANDS.map(({ name }) => [name])
    for (const path of paths) {
      const { code, out } = await waybill(place, [...path, '--help'])
      assert.equal(code, 0)
      assert.match(out, /Examples:\n {2}\$ /, path.join(' '))
      if (path.length > 1 || !['runs', 'approvals', 'state'].includes(path[0] ?? '')) continue
      const children = /\nCommands:\n([\s\S]*?)\n\n/.exec(out)?.[1]?.matchAll(/^ {2}([a-z]+)/gm) ?? []
      for (const [, child] of children) if (child !== undefined) paths.push([...path, child])
    }
    assert.equal(paths.length, COMMANDS.length + 20)
  })

  test('`help run` is `run --help`, and --version prints only the version', async (t) => {
    const place = new Place(t)
    assert.equal((await waybill(place, ['help', 'run'])).out, (await waybill(place, ['run', '--help'])).out)
    assert.match((await waybill(place, ['--version'])).out, /^\d+\.\d+\.\d+\n$/)
  })
})
