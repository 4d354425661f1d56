import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { WaybillError } from '../../src/document/issue.ts'
import type { Json, JsonObject } from '../../src/document/json.ts'
import { parseAgentState } from '../../src/spec/aaif/parse-agent-state.ts'
import { validateAgentState } from '../../src/spec/aaif/validate-agent-state.ts'
import { fromCorpus, having, judging } from './aaif-judging.ts'

const rich = (await fromCorpus('aaif.state/valid/in-the-middle-of-everything.json')) as JsonObject
const { accepts, refuses, requires, closed } = judging('aaif.state', rich)

const issuesOf = (state: Json) =>
  validateAgentState(state).map(({ severity, code, pointer, rule }) => [severity, code, pointer, rule])

describe('AAIF §8.1 Agent State', () => {
  test('SPEC-Q-01: five members are required and all others optional', () => {
    const required = ['sc_standard', 'state_id', 'agent_id', 'checkpoint_at', 'status']
    requires('SPEC-Q-01', ...required.map((name) => `/${name}`))
    const least = Object.fromEntries(required.map((name) => [name, rich[name] as Json]))
    assert.deepEqual(validateAgentState(least), [])
    for (const name of Object.keys(rich)) if (!required.includes(name)) accepts(`/${name}`, undefined)
  })
  test('AAIF-8.1-04: status is one of seven', () => {
    for (const status of ['running', 'paused', 'awaiting_tool_result', 'completed', 'migrating']) {
      accepts('/status', status)
    }
    const asked = { trigger_description: 'Send it.', timeout_at: '2026-03-01T10:00:00Z' }
    assert.deepEqual(issuesOf({ ...rich, status: 'awaiting_approval', approval_request: asked }), [])
    const error = { code: 'X', message: 'x', step: 's', retries_remaining: 0 }
    assert.deepEqual(issuesOf({ ...rich, status: 'failed', error }), [])
    refuses('AAIF-8.1-04', 'NOT_IN_ENUM', '/status', 'waiting', 'Running', '')
  })
  test('AAIF-8.1-06: a position has only five members, each with its shape', () => {
    assert.equal(Object.keys(rich.pipeline_position as object).length, 5)
    for (const name of Object.keys(rich.pipeline_position as object)) {
      accepts(`/pipeline_position/${name}`, undefined)
      refuses('AAIF-8.1-06', 'WRONG_TYPE', `/pipeline_position/${name}`, {}, true)
    }
    closed('AAIF-8.1-06', '/pipeline_position')
  })
  test('SPEC-Q-02: a message has role and content, and four optional members', () => {
    requires('SPEC-Q-02', '/conversation/0/role', '/conversation/0/content')
    accepts('/conversation/0/role', 'system', 'user', 'assistant', 'tool')
    refuses('SPEC-Q-02', 'NOT_IN_ENUM', '/conversation/0/role', 'developer', 'function')
    for (const name of ['tool_call_id', 'tool_name']) accepts(`/conversation/3/${name}`, undefined)
    for (const name of ['token_count', 'timestamp']) accepts(`/conversation/1/${name}`, undefined)
    closed('SPEC-W-01', '/conversation/0')
  })
  test('a memory item has scope, key and content, and its remaining lifetime is not checked', () => {
    requires('SPEC-Q-03', '/memory_snapshot/0/scope', '/memory_snapshot/0/key', '/memory_snapshot/0/content')
    assert.equal(parseAgentState(rich).memory_snapshot?.[1]?.ttl_remaining_seconds, 120)
  })
  test('embeddings are refused in a state under every name', () => {
    for (const name of ['embedding', 'embeddings', 'vector', 'content_embedding']) {
      refuses('AAIF-8.1-08', 'UNKNOWN_MEMBER', `/memory_snapshot/0/${name}`, [0.1])
    }
  })
  test('SPEC-Q-04: a pending call has id, tool_name, arguments and one of three statuses', () => {
    const call = '/pending_tool_calls/0'
    requires('SPEC-Q-04', `${call}/id`, `${call}/tool_name`, `${call}/arguments`)
    accepts(`${call}/status`, 'pending', 'in_flight', 'awaiting_result', undefined)
    refuses('SPEC-Q-04', 'NOT_IN_ENUM', `${call}/status`, 'sent')
    refuses('SPEC-Q-04', 'WRONG_TYPE', `${call}/arguments`, '{}', [])
    closed('SPEC-W-01', call)
  })
  test('SPEC-Q-05: a subagent has alias, agent_id and one of five statuses', () => {
    const subagent = '/subagent_states/0'
    requires('SPEC-Q-05', `${subagent}/alias`, `${subagent}/agent_id`)
    accepts(`${subagent}/status`, 'pending', 'running', 'paused', 'completed', 'failed', undefined)
    refuses('SPEC-Q-05', 'NOT_IN_ENUM', `${subagent}/status`, 'idle')
    closed('SPEC-W-01', subagent)
  })
  test('AAIF-8.1-12: a state that awaits approval without an approval_request gives a finding', () => {
    const asked = { trigger_description: 'Send 47 letters.', timeout_at: '2026-03-01T10:00:00Z' }
    const waiting = { ...rich, status: 'awaiting_approval' }
    const rule = 'AAIF-8.1-12'
    assert.deepEqual(issuesOf(waiting), [['warning', 'APPROVAL_REQUEST_MISSING', '/approval_request', rule]])
    assert.deepEqual(issuesOf({ ...waiting, approval_request: asked }), [])
    for (const name of ['trigger_description', 'timeout_at']) {
      assert.deepEqual(issuesOf({ ...waiting, approval_request: having(asked, `/${name}`, undefined) }), [
        ['warning', 'STATUS_DETAIL_MISSING', `/approval_request/${name}`, rule],
      ])
    }
    accepts('/approval_request', {}, undefined)
  })
  test('AAIF-8.1-13: a failed state without an error gives a finding', () => {
    const error = { code: 'TOOL_TIMEOUT', message: 'No answer.', step: 'weigh', retries_remaining: 0 }
    const failed = { ...rich, status: 'failed' }
    const rule = 'AAIF-8.1-13'
    assert.deepEqual(issuesOf(failed), [['warning', 'ERROR_MISSING', '/error', rule]])
    assert.deepEqual(issuesOf({ ...failed, error }), [])
    for (const name of Object.keys(error)) {
      const found = issuesOf({ ...failed, error: having(error, `/${name}`, undefined) })
      // What a limit has ended was in no step and in no tool.
      if (name === 'step') assert.deepEqual(found, [])
      else assert.deepEqual(found, [['warning', 'STATUS_DETAIL_MISSING', `/error/${name}`, rule]])
    }
  })
  test('SPEC-Q-10: a state of an unknown version is read as one of 3.4.0, with a warning like a definition', () => {
    const unknown = [['warning', 'SC_VERSION_UNKNOWN', '/sc_version', 'SPEC-Q-10']]
    for (const sc_version of ['4.0.0', '3.5.0', '3.4.1', '0.9.0', '99.1.2'])
      assert.deepEqual(issuesOf({ ...rich, sc_version }), unknown, sc_version)
    for (const sc_version of ['1.0.0', '2.1.0', '3.0.0', '3.4.0'])
      assert.deepEqual(issuesOf({ ...rich, sc_version }), [], sc_version)
    assert.deepEqual(parseAgentState({ ...rich, sc_version: '4.0.0' }), { ...rich, sc_version: '4.0.0' })
  })
  test('any string is accepted as checksum or token: both are verified on restore', () => {
    accepts('/provenance/checksum', '', '63 digits', 'e3b0c442')
    const token = ['eyJhbGciOiJFZERTQSJ9', 'eyJleHAiOjE3NzIzNTU2MDB9', 'c2lnbmF0dXJlLW9mLXBvc3Q'].join('.')
    assert.deepEqual(issuesOf(having(rich, '/provenance/migration_token', token)), [])
    const elsewhere = issuesOf(having(rich, '/variables/token', token))
    assert.deepEqual(elsewhere, [['error', 'SECRET_INLINE', '/variables/token', 'AAIF-4.4-10']])
  })
  test('variables and arguments accept any members', () => {
    accepts('/variables', {}, { typo: { typo: [null] }, 'x-a': 1 })
    accepts('/pending_tool_calls/0/arguments', { typo: 1 })
    accepts('/subagent_states/1/output', null, 'text', [1], { deep: {} })
  })
  test('parsing returns the data unchanged, or throws with the place of the error', () => {
    assert.deepEqual(parseAgentState(JSON.stringify(rich)), rich)
    assert.throws(
      () => parseAgentState(JSON.stringify({ ...rich, status: 'gone' }, null, 2), { file: 'state.json' }),
      (error: WaybillError) => {
        assert.equal(error.code, 'NOT_IN_ENUM')
        assert.deepEqual([error.details.rule, error.details.file], ['AAIF-8.1-04', 'state.json'])
        return (error.details.line ?? 0) > 1
      },
    )
  })
})
