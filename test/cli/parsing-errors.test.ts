import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Place, waybill } from './fixture.ts'

/** Every line of an error is one of these. */
const FORM = /^error [A-Z_]+ .+\n {2}hint .+\n$/

describe('errors of the parser have the form of all other errors', () => {
  const cases: readonly (readonly [rule: string, argv: readonly string[], message: RegExp, hint: RegExp])[] =
    [
      [
        'missing argument',
        ['plan'],
        /missing required argument 'file'/,
        /^usage: waybill plan \[options\] <file>$/,
      ],
      [
        'mistyped option',
        ['plan', 'a.json', '--rehears'],
        /'--rehears'/,
        /^did you mean --rehearse\? usage: waybill plan/,
      ],
      ['mistyped command', ['valdiate'], /unknown command 'valdiate'/, /^did you mean validate\?/],
      [
        'mistyped subcommand',
        ['runs', 'shwo'],
        /unknown command 'shwo'/,
        /^did you mean show\? usage: waybill runs/,
      ],
      ['unrelated command', ['frobnicate'], /frobnicate/, /`waybill --help` lists the commands/],
      [
        'too many arguments',
        ['run', 'a.json', 'b', 'c'],
        /too many arguments/,
        /^quote a text that contains spaces; usage: waybill run \[options\] <file> \[text\]$/,
      ],
      [
        'invalid choice of an argument',
        ['condition', 'ecl', 'x'],
        /'ecl' is invalid.*cel/,
        /^did you mean cel\?/,
      ],
      [
        'invalid choice of an option',
        ['plan', 'a.json', '--format', 'jsn'],
        /'jsn' is invalid/,
        /^did you mean json\?/,
      ],
      ['missing value', ['run', 'a.json', '--input'], /argument missing/, /^usage: waybill run/],
      [
        'missing mandatory option',
        ['keys', 'revoke', 'x'],
        /'--reason <text>' not specified/,
        /^usage: waybill keys revoke/,
      ],
      [
        'conflicting options',
        ['run', 'a.json', '--batch', 'x', '--input', 'y'],
        /cannot be used with/,
        /^usage/,
      ],
      ['no manifest', ['negotiate', 'a.json'], /no manifest/, /`waybill manifest \| waybill negotiate/],
      ['no key to sign with', ['sign', 'agent.json'], /no key/, /`waybill keys new NAME`/],
    ]
  for (const [rule, argv, message, hint] of cases) {
    test(rule, async (t) => {
      const place = new Place(t)
      const text = await waybill(place, argv)
      assert.deepEqual([text.code, text.out], [2, ''])
      assert.match(text.err, FORM)
      if (argv.includes('--format')) return
      const { code, out, err } = await waybill(place, [...argv.slice(0, 1), '--json', ...argv.slice(1)])
      const { error } = JSON.parse(out)
      assert.deepEqual(
        [code, err, error.code, Object.keys(error)],
        [2, '', 'USAGE', ['code', 'message', 'hint']],
      )
      if (argv[0] === 'runs' || argv[0] === 'keys') return
      assert.match(error.message, message)
      assert.match(error.hint, hint)
      assert.equal(text.err, `error USAGE ${error.message}\n  hint ${error.hint}\n`)
    })
  }

  for (const verb of ['eval', 'list', 'show', 'start', 'serve', 'logs', 'test', 'version'])
    test(`the foreign command ${verb} names what to use here`, async (t) => {
      const { code, err } = await waybill(new Place(t), [verb])
      assert.equal(code, 2)
      assert.match(err, /error USAGE unknown command .*\n {2}hint `waybill /)
    })

  test('a group without a command prints its help', async (t) => {
    const { code, err } = await waybill(new Place(t), ['runs'])
    assert.equal(code, 2)
    assert.match(err, /^Usage: waybill runs/)
    assert.doesNotMatch(err, /^error/m)
  })

  test('--help and --version are not errors', async (t) => {
    for (const argv of [['--help'], ['run', '--help'], ['runs', 'show', '--help'], ['--version'], []]) {
      const { code, err } = await waybill(new Place(t), argv)
      assert.deepEqual([code, err], [0, ''], argv.join(' '))
    }
  })
})

describe('a command without its run', () => {
  const AGENT = {
    sc_standard: 'SC-006',
    sc_version: '3.4.0',
    agent_id: '5b0f6a0e-92a4-4f8a-9d57-3c1f6e2b8a10',
    agent: { name: 'Clerk', goal: 'Answer.' },
  }

  for (const argv of [['resume'], ['runs', 'show'], ['approvals', 'show'], ['approvals', 'approve']])
    test(`${argv.join(' ')} says how to name one`, async (t) => {
      const { code, err } = await waybill(new Place(t, AGENT), argv)
      assert.equal(code, 2)
      assert.match(
        err,
        /hint name a run by its id or its ending, or use `last`.*`waybill (?:runs|approvals) list`/,
      )
    })
})

describe('a file that is not there', () => {
  for (const command of ['validate', 'run', 'plan', 'inspect', 'chat'])
    test(`${command} reports it without a line and without calling it invalid`, async (t) => {
      const { code, err } = await waybill(new Place(t), [command, 'nothere.yaml'])
      assert.equal(code, 2)
      assert.match(err, /^error FILE_[A-Z_]+ nothere\.yaml: there is no such file\n {2}hint check the path/)
      assert.doesNotMatch(err, /:1:1|invalid/)
    })

  test('next to a valid file, each is counted as what it is', async (t) => {
    const { code, err } = await waybill(new Place(t), ['validate', 'agent.json', 'nothere.yaml'])
    assert.equal(code, 2)
    assert.match(err, /\n1 file valid, 1 file could not be read\n$/)
  })

  test('the JSON report has the same members as before', async (t) => {
    const { out } = await waybill(new Place(t), ['validate', 'nothere.yaml', '--format', 'json'])
    const [file] = JSON.parse(out).files
    assert.deepEqual([file.ok, file.issues[0].code, file.issues[0].line], [false, 'FILE_UNREADABLE', 1])
  })
})

describe('sign without --key', () => {
  test('uses the only key', async (t) => {
    const place = new Place(t)
    await waybill(place, ['keys', 'new', 'alice'])
    const { code, err } = await waybill(place, ['sign', 'agent.json', '--in-place'])
    assert.deepEqual([code, err], [0, 'signed with the key "alice": agent.json\n'])
  })

  test('names the keys if there are several', async (t) => {
    const place = new Place(t)
    for (const name of ['alice', 'bob']) await waybill(place, ['keys', 'new', name])
    const { code, err } = await waybill(place, ['sign', 'agent.json', '--in-place'])
    assert.equal(code, 2)
    assert.match(err, /you have 2 keys\n {2}hint name one with --key: alice, bob/)
  })

  test('the key of the audit log does not count', async (t) => {
    const place = new Place(t)
    for (const name of ['audit', 'alice']) await waybill(place, ['keys', 'new', name])
    const { err } = await waybill(place, ['sign', 'agent.json', '--in-place'])
    assert.match(err, /the key "alice"/)
  })
})
