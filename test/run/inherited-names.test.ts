import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ownMember } from '../../src/document/own-member.ts'
import { tallyAfter } from '../../src/run/round.ts'
import { callWith, stateWith } from './core.ts'

describe('a name from outside that each object inherits', () => {
  for (const name of ['constructor', 'toString', 'valueOf', 'hasOwnProperty', '__proto__']) {
    test(`${name} is no member unless it was put there`, () => {
      assert.equal(ownMember({}, name), undefined)
      assert.equal(ownMember(JSON.parse(`{"${name}":1}`), name), 1)
    })

    test(`a tool named ${name} is counted from zero, so that a limit on its calls holds`, () => {
      const call = callWith({ tool: name })
      const once = tallyAfter(stateWith({ tally: {} }), false, { calls: [call] })
      assert.deepEqual(ownMember(once, name), { called: 1, succeeded: 0 })
      const twice = tallyAfter(stateWith({ tally: once }), false, { calls: [call] })
      assert.deepEqual(ownMember(twice, name), { called: 2, succeeded: 0 })
    })
  }
})
