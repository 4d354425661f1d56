import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { suggestChoice } from '../../src/cli/options/suggest-choice.ts'
import { Place, waybill } from './fixture.ts'

describe('a file that is not a document of a known kind', () => {
  for (const command of ['validate', 'inspect'])
    test(`${command}: the hint says how an agent definition begins, and which kinds there are`, async (t) => {
      const place = new Place(t)
      place.write('foreign.yaml', 'name: x\nmodel: gpt\nprompt: hi\n')
      const { out, err, code } = await waybill(place, [command, 'foreign.yaml'])
      assert.equal(code, 1)
      assert.match(
        out + err,
        /KIND_UNKNOWN[\s\S]*hint an agent definition begins with "sc_standard: SC-006" \(`waybill init` .*--kind: aaif\.agent, .*iap\.result/,
      )
    })
})

describe('a kind that does not exist', () => {
  for (const command of ['validate', 'inspect', 'rules'])
    test(`${command}: the last part of its name is sufficient for a suggestion`, async (t) => {
      const place = new Place(t)
      const file = command === 'rules' ? [] : ['agent.json']
      const { err, code } = await waybill(place, [command, ...file, '--kind', 'agent'])
      assert.equal(code, 2)
      assert.match(err, /hint did you mean aaif\.agent\?/)
    })

  test('validate: all kinds are listed if none is similar', async (t) => {
    const { err } = await waybill(new Place(t), ['validate', 'agent.json', '--kind', 'zebra'])
    assert.match(err, /hint known kinds: aaif\.agent, /)
  })

  test('a last part that several choices have is not a suggestion, a similar name is', () => {
    assert.equal(suggestChoice('task', ['iap.task', 'aah.task']), undefined)
    assert.equal(suggestChoice('Task', ['iap.task', 'aah.item']), 'iap.task')
    assert.equal(suggestChoice('iap.tsak', ['iap.task', 'aah.item']), 'iap.task')
  })
})

describe('the same missing file has the same error', () => {
  for (const argv of [
    ['validate', 'gone.yaml'],
    ['plan', 'gone.yaml'],
    ['inspect', 'gone.yaml'],
    ['run', 'gone.yaml', 'Hello'],
  ])
    test(argv.join(' '), async (t) => {
      const { err, out, code } = await waybill(new Place(t), argv)
      assert.equal(code, 2)
      assert.match(
        out + err,
        /^error FILE_UNREADABLE gone\.yaml: there is no such file\n {2}hint check the path/,
      )
    })

  test('and a pattern that matches no file has it too', async (t) => {
    const { err, out, code } = await waybill(new Place(t), ['validate', 'g*.yaml'])
    assert.equal(code, 2)
    assert.match(out + err, /^error FILE_UNREADABLE g\*\.yaml: no file matches this pattern\n/)
  })
})
