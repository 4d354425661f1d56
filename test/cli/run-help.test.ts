import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Place, waybill } from './fixture.ts'

/** Returns the long options by the heading above them. */
function groupsOf(help: string): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, readonly string[]>()
  for (const part of help.split('\n\n')) {
    const heading = /^(.*):\n/.exec(part)?.[1]
    const options = [...part.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, name]) => name ?? '')
    if (heading !== undefined && options.length > 0) groups.set(heading, options)
  }
  return groups
}

describe('the help of commands that plan a run', () => {
  test('groups the options, so that the input and the output are found first', async (t) => {
    const { out } = await waybill(new Place(t), ['run', '--help'])
    const groups = groupsOf(out)
    assert.deepEqual(
      [...groups.keys()],
      [
        'Options',
        'Input',
        'Start',
        'Output',
        'Dry run',
        'Models and tools',
        'Owner',
        'Rights and limits',
        'Configuration',
      ],
    )
    assert.deepEqual(groups.get('Input'), ['--input', '--batch', '--resume'])
    assert.deepEqual(groups.get('Dry run'), ['--rehearse', '--ask'])
    assert.deepEqual(groups.get('Owner'), ['--user', '--session'])
    assert.deepEqual(groups.get('Configuration'), ['--config', '--env-file'])
    for (const options of groups.values()) assert.ok(options.length <= 6)
  })

  test('an own option of a command is not below the heading of the shared ones', async (t) => {
    const { out } = await waybill(new Place(t), ['plan', '--help'])
    assert.ok(groupsOf(out).get('Options')?.includes('--out'))
  })
})

describe('--yes', () => {
  for (const next of ['--rehearse', '-h'])
    test(`without a rule, before ${next}: the error says that it needs one`, async (t) => {
      const { err, code } = await waybill(new Place(t), ['run', 'agent.json', '--yes', next])
      assert.equal(code, 2)
      assert.match(err, /^error USAGE .*--yes needs a rule: the name of a tool, such as "send_email"/)
    })

  test('may be repeated: each rule is checked', async (t) => {
    const argv = [
      'run',
      'agent.json',
      '--rehearse',
      '--input',
      'Go',
      '--yes',
      'send_mail',
      '--yes',
      'send_mial',
    ]
    const { err, code } = await waybill(new Place(t), argv)
    assert.equal(code, 2)
    assert.match(err, /^error CALL_RULE_UNKNOWN_TOOL .*send_mial/)
    const both = [...argv.slice(0, -1), 'send_mail to=a']
    assert.equal((await waybill(new Place(t), both)).code, 0)
  })
})
