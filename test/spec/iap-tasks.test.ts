import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import {
  moveLargeContext,
  parseResult,
  parseTask,
  resultFor,
  validateResult,
  validateTask,
  withTaskDefaults,
  writeTask,
} from 'waybill/spec'
import { WaybillError } from '../../src/document/issue.ts'
import type { Json, JsonObject } from '../../src/document/json.ts'
import { parseDuration } from '../../src/spec/iap/duration.ts'
import { breachesOfOutput, readOutputForm } from '../../src/spec/iap/output-form.ts'

const errand: JsonObject = {
  iap_version: '0.2',
  task_id: 't-1',
  sender: { agent_id: 'clerk' },
  task: { intent: 'Sort the letters.' },
}
const having = (members: JsonObject): JsonObject => ({ ...errand, ...members })
const issuesOf = (document: Json) =>
  validateTask(document).map(({ severity, code, pointer, rule }) => `${severity} ${code} ${pointer} ${rule}`)
const accepts = (...documents: readonly Json[]) => {
  for (const document of documents) assert.deepEqual(issuesOf(document), [], JSON.stringify(document))
}
/** Asserts that each value at a place gives exactly one error, of the given rule. */
const refuses = (pointer: string, rule: string, values: readonly Json[]) => {
  for (const value of values) {
    const errors = issuesOf(put(pointer, value)).filter((line) => line.startsWith('error'))
    assert.equal(errors.length, 1, `${pointer} ${JSON.stringify(value)}: ${errors}`)
    assert.ok(errors[0]?.includes(`${pointer}`) && errors[0].endsWith(` ${rule}`), errors[0])
  }
}
function put(pointer: string, value: Json): JsonObject {
  const [, block = '', member] = pointer.split('/')
  const choice: JsonObject = {
    delivery: { method: 'sync' },
    output: { format: 'json' },
    task: errand.task ?? null,
  }
  const old = (choice[block] ?? (block === 'on_failure' ? { action: 'retry' } : {})) as JsonObject
  return having({ [block]: member === undefined ? value : { ...old, [member]: value } })
}

describe('task', () => {
  test('IAP-task-01: task.intent is the only required member, and it may not be empty', () => {
    assert.deepEqual(parseTask({ task: { intent: 'x' } }), { task: { intent: 'x' } })
    for (const nothing of [{}, having({ task: {} }), having({ task: { details: 'x' } })]) {
      assert.throws(() => parseTask(nothing), { code: 'REQUIRED_MISSING' })
    }
    refuses('/task/intent', 'IAP-task-01', ['', '  \n', 7, null, ['x']])
    assert.deepEqual(issuesOf(having({ task: { intent: 'one\ntwo' } })), [
      'warning INTENT_NOT_ONE_LINE /task/intent IAP-task-01',
    ])
    accepts(having({ task: { intent: 'one\n' } }))
  })
  test('IAP-task-02: the defaults of the smallest task are a version, an id, an anonymous sender and synchronous delivery', () => {
    const complete = withTaskDefaults(parseTask({ task: { intent: 'x' } }), () => 'fresh')
    assert.deepEqual(complete, {
      iap_version: '0.2',
      task_id: 'fresh',
      sender: { agent_id: 'anonymous' },
      delivery: { method: 'sync' },
      task: { intent: 'x' },
      output: { format: 'freeform' },
      on_failure: { action: 'return_partial' },
    })
    const full = parseTask(having({ delivery: { method: 'email', email: 'a@post.example' }, 'x-desk': 7 }))
    const again = withTaskDefaults(full)
    assert.deepEqual([again.task_id, again.delivery, again['x-desk']], ['t-1', full.delivery, 7])
  })
  test('IAP-task-03: a written task has everything that strict receivers require', () => {
    const written = JSON.parse(Buffer.from(writeTask(parseTask({ task: { intent: 'x' } }))).toString())
    assert.equal(written.iap_version, '0.2')
    assert.match(written.task_id, /^[0-9a-f-]{36}$/)
    assert.equal(written.sender.agent_id, 'anonymous')
    const blocks = parseTask(
      having({
        iap_version: '0.1',
        delivery: {},
        output: {},
        on_failure: {},
        sender: { email: 'a@post.example' },
      }),
    )
    const strict = parseTask(writeTask(blocks))
    assert.equal(strict.iap_version, '0.2')
    assert.deepEqual(
      [strict.delivery?.method, strict.output?.format, strict.on_failure?.action, strict.sender],
      ['sync', 'freeform', 'return_partial', { email: 'a@post.example', agent_id: 'anonymous' }],
    )
    assert.deepEqual(
      validateTask({ task: { intent: 'x' }, delivery: {} }, { authoring: true }).map((i) => [
        i.severity,
        i.rule,
      ]),
      [['error', 'IAP-task-03']],
    )
    const polled = having({ delivery: { method: 'async', status_endpoint: 'https://post.example/s' } })
    assert.throws(() => writeTask(parseTask(polled)), { code: 'ASYNC_WITHOUT_WEBHOOK' })
  })
  test('IAP-task-04: 0.2 and 0.1 are accepted; another version is refused, with the supported versions', () => {
    accepts(errand, having({ iap_version: '0.1' }))
    for (const version of ['9.9', '0.3', '0.2.0', '']) {
      const refusal = catchError(() => parseTask({ ...errand, iap_version: version, task: {} }))
      assert.equal(refusal.code, 'IAP_VERSION_UNSUPPORTED')
      assert.match(refusal.message, /0\.1 and 0\.2$/)
    }
    refuses('/iap_version', 'IAP-task-04', [0.2, null])
  })
  test('IAP-task-05: a task_id is a UUID or any other string, new for each task, and the result has the same id', () => {
    accepts(having({ task_id: 'rates/7' }))
    refuses('/task_id', 'IAP-task-05', ['', 7])
    const ids = [1, 2].map(() => withTaskDefaults(parseTask({ task: { intent: 'x' } })).task_id)
    assert.match(ids[0] ?? '', /^[0-9a-f]{8}-[0-9a-f]{4}-4/)
    assert.notEqual(ids[0], ids[1])
    assert.equal(resultFor(withTaskDefaults(parseTask(errand)), { status: 'complete' }).task_id, 't-1')
  })
  test('IAP-task-06: agent_id, email, framework and callback of sender are strings', () => {
    const sender = {
      agent_id: 'a',
      email: 'a@post.example',
      framework: 'f',
      callback: 'https://post.example',
    }
    accepts(having({ sender }))
    for (const member of Object.keys(sender)) {
      refuses(`/sender/${member}`, 'IAP-task-06', [7, null, {}, ['x'], true])
    }
    refuses('/sender', 'IAP-task-06', ['clerk', []])
  })
  test('IAP-task-07: details and context are optional strings', () => {
    accepts(having({ task: { intent: 'x', details: 'a\nb', context: 'c' } }))
    for (const member of ['details', 'context']) refuses(`/task/${member}`, 'IAP-task-07', [7, {}, [], null])
  })
  test('IAP-task-10: context above the given size is stored elsewhere', () => {
    const kept: string[] = []
    const move = (task: JsonObject, maxBytes: number) =>
      moveLargeContext(parseTask(having({ task })), maxBytes, (context) => {
        kept.push(context)
        return 'file:///kept'
      }).task
    assert.deepEqual(move({ intent: 'x', context: 'ééé', details: 'd' }, 5), {
      intent: 'x',
      details: 'd',
      context_ref: 'file:///kept',
    })
    assert.deepEqual(move({ intent: 'x', context: 'ééé' }, 6), { intent: 'x', context: 'ééé' })
    const taken = { intent: 'x', context: 'ééé', context_ref: 'file:///other' }
    assert.deepEqual(move(taken, 1), taken)
    assert.deepEqual(kept, ['ééé'])
  })
  test('IAP-task-11: unknown members are kept, and a likely typing error gives only a note', () => {
    const document = having({ 'x-desk': [{ a: null }], task: { intent: 'x', mood: 'calm' } })
    accepts(document)
    assert.deepEqual(parseTask(document), document)
    assert.deepEqual(parseTask(writeTask(parseTask(document)))['x-desk'], [{ a: null }])
    assert.deepEqual(issuesOf(having({ succes_criteria: ['x'] })), [
      'info MEMBER_LIKELY_MISTYPED /succes_criteria IAP-task-11',
    ])
  })
  test('IAP-task-12: written as YAML a task reads as the same as from JSON', () => {
    const task = parseTask(
      having({ task: { intent: 'yes', details: '- a\n- b: 012\n' }, constraints: { time_limit: '30m' } }),
    )
    const yaml = Buffer.from(writeTask(task, 'yaml')).toString()
    assert.match(yaml, /^iap_version: "0\.2"$/m)
    assert.deepEqual(parseTask(yaml, { file: 'task.yaml' }), parseTask(writeTask(task)))
  })
})

describe('delivery', () => {
  test('IAP-delivery-01: delivery.method is one of three', () => {
    accepts(having({ delivery: { method: 'sync' } }))
    refuses('/delivery/method', 'IAP-delivery-01', ['pigeon', 'Sync', '', 7, null])
  })
  test('IAP-delivery-05: async needs a webhook; a status_endpoint alone gives a warning', () => {
    const missing = issuesOf(having({ delivery: { method: 'async' } }))
    assert.deepEqual(missing, ['error REQUIRED_MISSING /delivery/webhook IAP-delivery-05'])
    const polled = issuesOf(
      having({ delivery: { method: 'async', status_endpoint: 'https://post.example/s' } }),
    )
    assert.deepEqual(polled, ['warning ASYNC_WITHOUT_WEBHOOK /delivery/webhook IAP-delivery-05'])
    accepts(having({ delivery: { method: 'async', webhook: 'https://post.example/w' } }))
    const polling = having({ delivery: { method: 'async', status_endpoint: 'https://post.example/s' } })
    assert.throws(() => writeTask(parseTask(polling)), { code: 'ASYNC_WITHOUT_WEBHOOK' })
  })
  test('IAP-delivery-06: email needs the address', () => {
    const missing = issuesOf(having({ delivery: { method: 'email' } }))
    assert.deepEqual(missing, ['error REQUIRED_MISSING /delivery/email IAP-delivery-06'])
    accepts(having({ delivery: { method: 'email', email: 'sorter@post.example' } }))
  })
  test('invalid addresses give a warning', () => {
    const places: readonly (readonly [string, string])[] = [
      ['/delivery/webhook', 'ftp://post.example'],
      ['/delivery/status_endpoint', 'status'],
      ['/delivery/email', 'reviewer'],
      ['/sender/email', 'a b@c'],
      ['/task/context_ref', 'notes.md'],
      ['/output/deliver_to', 'the desk'],
    ]
    for (const [pointer, value] of places) {
      assert.ok(
        issuesOf(put(pointer, value)).some((line) => line.startsWith(`warning FORMAT_MISMATCH ${pointer} `)),
        pointer,
      )
    }
    accepts(put('/output/deliver_to', 'inline'), put('/task/context_ref', 'file:///desk/notes.md'))
  })
})

describe('limits, success, output and failure', () => {
  test('IAP-constraints-08: lists contain strings, scope and time_limit are strings, token_budget is a whole number', () => {
    const lists = ['tools_allowed', 'tools_denied', 'requires_capabilities']
    for (const member of lists) {
      accepts(put(`/constraints/${member}`, []), put(`/constraints/${member}`, ['a']))
      refuses(`/constraints/${member}`, 'IAP-constraints-08', ['a', {}, [7], null])
    }
    for (const member of ['scope', 'time_limit']) {
      refuses(`/constraints/${member}`, 'IAP-constraints-08', [7, [], null])
    }
    refuses('/constraints/token_budget', 'IAP-constraints-02', ['9', 1.5, 0, -1])
    refuses('/constraints', 'IAP-constraints-08', ['none', []])
  })
  test('durations are whole numbers with s, m, h or d, or ISO 8601 without months and years', () => {
    const table: readonly (readonly [string, number])[] = [
      ['45s', 45_000],
      ['30m', 1_800_000],
      ['2h', 7_200_000],
      ['1d', 86_400_000],
      ['PT30M', 1_800_000],
      ['P1DT2H', 93_600_000],
      ['PT1.5S', 1500],
      ['P2W', 1_209_600_000],
      ['0s', 0],
    ]
    for (const [text, ms] of table) assert.equal(parseDuration(text), ms, text)
    const wrong = ['soon', '', '30', 'm', '-5m', '30 m', '30M', '5w', 'P', 'PT', 'P1M', 'P1Y', 'pt5m', 'P1H']
    for (const text of [...wrong, '9999999999999d', '999999999999d'])
      assert.equal(parseDuration(text), undefined, text)
    refuses('/constraints/time_limit', 'IAP-constraints-01', [...wrong, '0s', 'PT0S'])
  })
  test('IAP-constraints-01: several units and decimals are read with a warning, and written as whole units', () => {
    const table: readonly (readonly [written: string, ms: number, ours: string, read: string])[] = [
      ['1h30m', 5_400_000, '90m', '90 minutes'],
      ['1.5h', 5_400_000, '90m', '90 minutes'],
      ['2h0m', 7_200_000, '2h', '2 hours'],
      ['0.5m', 30_000, '30s', '30 seconds'],
      ['1m30s', 90_000, '90s', '90 seconds'],
      ['1d12h', 129_600_000, '36h', '36 hours'],
      ['1d24h', 172_800_000, '2d', '2 days'],
      ['1d0.5h', 88_200_000, '1470m', '1470 minutes'],
      ['1h30m15.0s', 5_415_000, '5415s', '5415 seconds'],
      ['60.0s', 60_000, '1m', '1 minute'],
      // A limit does not become longer, nor none.
      ['1.9s', 1900, '1s', '1900 milliseconds'],
      ['0.5s', 500, '1s', '500 milliseconds'],
    ]
    for (const [time_limit, ms, ours, read] of table) {
      assert.equal(parseDuration(time_limit), ms, time_limit)
      const task = put('/constraints/time_limit', time_limit)
      const [issue, ...others] = validateTask(task)
      assert.deepEqual(others, [])
      assert.deepEqual(
        [issue?.severity, issue?.code, issue?.pointer, issue?.rule],
        ['warning', 'DURATION_UNUSUAL', '/constraints/time_limit', 'IAP-constraints-01'],
      )
      assert.match(String(issue?.message), new RegExp(`read as ${read},`))
      assert.match(String(issue?.hint), new RegExp(`"${ours}"`))
      const written = parseTask(writeTask(parseTask(task)))
      assert.equal(written.constraints?.time_limit, ours)
      assert.deepEqual(validateTask(written as unknown as Json), [])
    }
    for (const time_limit of ['90m', '2h', 'PT1H30M', 'PT1.5H', '3600s']) {
      const written = parseTask(writeTask(parseTask(put('/constraints/time_limit', time_limit))))
      assert.equal(written.constraints?.time_limit, time_limit)
      assert.deepEqual(validateTask(put('/constraints/time_limit', time_limit)), [])
    }
    for (const text of [
      '30m1h',
      '1h1h',
      '1.5h30m',
      '1.h',
      '.5h',
      '1h 30m',
      '1h-30m',
      '1.5',
      '1e3s',
      '1h30',
      'h30m',
    ])
      assert.equal(parseDuration(text), undefined, text)
    refuses('/constraints/time_limit', 'IAP-constraints-01', ['0h0m', '0.0h', '1h30', '30m1h'])
  })
  test('a tool that is both allowed and denied gives a finding', () => {
    const line = 'warning TOOL_ALLOWED_AND_DENIED /constraints/tools_allowed/1 IAP-constraints-04'
    assert.deepEqual(issuesOf(having({ constraints: { tools_allowed: ['a', 'b'], tools_denied: ['b'] } })), [
      line,
    ])
  })
  test('IAP-success-01: success_criteria is a list of strings at the root', () => {
    accepts(having({ success_criteria: ['a'] }), having({ success_criteria: [] }))
    refuses('/success_criteria', 'IAP-success-01', ['a', { a: 'b' }, [7], null])
  })
  test('IAP-output-01: output.format is one of five; the default is freeform', () => {
    for (const format of ['markdown', 'json', 'yaml', 'code', 'freeform'])
      accepts(having({ output: { format } }))
    refuses('/output/format', 'IAP-output-01', ['poem', 'JSON', 7, null])
    assert.equal(withTaskDefaults(parseTask(errand)).output.format, 'freeform')
  })
  test('IAP-output-02: a result is checked against output.schema, as schema or sketch, when it is json', () => {
    const sketch = {
      summary: 'string',
      items: ['string'],
      n: 'integer',
      any: 'some words',
      inner: { ok: 'boolean' },
    }
    const good = { summary: 's', items: ['a'], n: 1, any: null, inner: { ok: true } }
    for (const schema of [sketch, JSON.stringify(sketch)]) {
      assert.equal(breachesOfOutput({ format: 'json', schema }, good), null)
      const bad: readonly Json[] = [
        { ...good, items: [7] },
        { ...good, n: 'x' },
        { summary: 's' },
        'text',
        { ...good, inner: {} },
      ]
      for (const result of bad) assert.ok(breachesOfOutput({ format: 'json', schema }, result))
      assert.equal(breachesOfOutput({ format: 'markdown', schema }, 'text'), null)
    }
    const schema = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } }
    assert.equal(breachesOfOutput({ format: 'json', schema }, { n: 1 }), null)
    assert.match(breachesOfOutput({ format: 'json', schema }, { n: 'x' }) ?? '', /\/n/)
    refuses('/output/schema', 'IAP-output-02', [7, [], null])
  })
  test('a JSON Schema and a sketch are distinguished; any other value gives a warning', () => {
    const schemas: readonly Json[] = [
      { type: 'string' },
      { type: ['string', 'null'] },
      { type: 'array', items: { type: 'string' }, minItems: 1 },
      { $ref: '#/$defs/a', $defs: { a: {} } },
      { anyOf: [{ type: 'string' }] },
    ]
    for (const schema of schemas)
      assert.equal(readOutputForm(schema).kind, 'json-schema', JSON.stringify(schema))
    const sketches: readonly Json[] = [
      {},
      { type: 'string', title: 'string' },
      { items: ['string'] },
      { type: 'kind of letter' },
    ]
    for (const sketch of sketches) assert.equal(readOutputForm(sketch).kind, 'sketch', JSON.stringify(sketch))
    for (const schema of ['{', '[]', { type: 'array', items: 7 }]) {
      assert.deepEqual(issuesOf(having({ output: { format: 'json', schema } })), [
        'warning OUTPUT_SCHEMA_UNREADABLE /output/schema IAP-output-02',
      ])
    }
    assert.deepEqual(issuesOf(having({ output: { format: 'markdown', schema: {} } })), [
      'warning OUTPUT_SCHEMA_UNUSED /output/schema IAP-output-02',
    ])
  })
  test('IAP-failure-01: on_failure.action is one of four', () => {
    for (const action of ['return_partial', 'retry', 'escalate', 'abort'])
      accepts(having({ on_failure: { action } }))
    refuses('/on_failure/action', 'IAP-failure-01', ['weep', 'Retry', 7, null])
    assert.deepEqual(withTaskDefaults(parseTask(having({ on_failure: { action: 'escalate' } }))).on_failure, {
      action: 'escalate',
      escalate_to: 'human',
    })
  })
  test('IAP-failure-07: max_retries is a whole number from 0; the default for retry is 2', () => {
    accepts(put('/on_failure/max_retries', 0), put('/on_failure/max_retries', 3))
    refuses('/on_failure/max_retries', 'IAP-failure-07', [-1, 1.5, '2', null])
    const retries = (on_failure: JsonObject) => withTaskDefaults(parseTask(having({ on_failure }))).on_failure
    assert.deepEqual(retries({ action: 'retry' }), { action: 'retry', max_retries: 2 })
    assert.deepEqual(retries({ action: 'retry', max_retries: 0 }), { action: 'retry', max_retries: 0 })
    assert.deepEqual(retries({}), { action: 'return_partial' })
  })
})

describe('result', () => {
  const judged = (result: Json) =>
    validateResult(result).map(({ severity, code, rule }) => `${severity} ${code} ${rule}`)
  test('IAP-result-01: a result has task_id and status, and six optional members', () => {
    const full = {
      task_id: 't',
      status: 'partial',
      result: { a: [1] },
      error: 'e',
      criteria_met: ['a'],
      criteria_unmet: ['b'],
      metadata: {
        started_at: '2026-01-31T09:00:00Z',
        completed_at: '2026-01-31T09:01:00Z',
        tokens_used: 7,
        agent_id: 'a',
      },
    }
    assert.deepEqual(judged(full), [])
    assert.deepEqual(parseResult(JSON.stringify(full)), full)
    for (const result of ['text', 7, null, [1], {}]) assert.deepEqual(judged({ ...full, result }), [])
    const { task_id: _, ...nameless } = full
    assert.deepEqual(judged(nameless), ['error REQUIRED_MISSING IAP-result-01'])
    for (const member of ['task_id', 'error', 'criteria_met', 'criteria_unmet']) {
      assert.deepEqual(judged({ ...full, [member]: 7 }), ['error WRONG_TYPE IAP-result-01'], member)
    }
    for (const member of ['started_at', 'completed_at', 'tokens_used', 'agent_id']) {
      assert.deepEqual(
        judged({ ...full, metadata: { [member]: {} } }),
        ['error WRONG_TYPE IAP-result-03'],
        member,
      )
    }
  })
  test('IAP-result-02: the status of a result is one of four', () => {
    for (const status of ['complete', 'in_progress']) assert.deepEqual(judged({ task_id: 't', status }), [])
    for (const status of ['partial', 'failed'])
      assert.deepEqual(judged({ task_id: 't', status, error: 'e' }), [])
    assert.deepEqual(judged({ task_id: 't', status: 'done' }), ['error NOT_IN_ENUM IAP-result-02'])
    assert.deepEqual(judged({ task_id: 't' }), ['error REQUIRED_MISSING IAP-result-02'])
  })
  test('a result names each criterion of its task once', () => {
    const task = withTaskDefaults(parseTask(having({ success_criteria: ['a', 'b', 'a', 'c'] })))
    const result = resultFor(task, { status: 'partial', error: 'e', criteriaMet: ['b', 'other'] })
    assert.deepEqual([result.criteria_met, result.criteria_unmet], [['b'], ['a', 'c']])
    assert.deepEqual(judged(result as unknown as Json), [])
    assert.deepEqual(resultFor(task, { status: 'in_progress' }), { task_id: 't-1', status: 'in_progress' })
    const twice = { task_id: 't', status: 'complete', criteria_met: ['a'], criteria_unmet: ['a'] }
    assert.deepEqual(judged(twice), ['warning CRITERION_MET_AND_UNMET IAP-success-02'])
  })
  test('IAP-result-04: every error has its path and message, and the parse error lists them', () => {
    const broken = having({ task: { intent: ' ' }, constraints: { time_limit: 'soon', token_budget: 0 } })
    const faults = validateTask(broken).filter(({ severity }) => severity === 'error')
    assert.deepEqual(faults.map(({ pointer }) => pointer).sort(), [
      '/constraints/time_limit',
      '/constraints/token_budget',
      '/task/intent',
    ])
    const { message } = catchError(() => parseTask(broken))
    for (const fault of faults) assert.ok(fault.message !== '' && message.includes(fault.message), message)
    const result = catchError(() => parseResult({ status: 'done', criteria_met: 'all' }))
    for (const part of ['task_id', '/status', '/criteria_met'])
      assert.ok(result.message.includes(part), result.message)
  })
})

test('the examples of the specification are valid', (t) => {
  const text = `${process.env.WAYBILL_TEST_DATA ?? '../shared'}/specs/iap-0.2.md`
  if (!existsSync(text)) return t.skip(`needs the text at ${text}`)
  const blocks = [...readFileSync(text, 'utf8').matchAll(/```yaml\n([\s\S]*?)```/g)].map(
    ([, yaml = '']) => yaml,
  )
  assert.equal(blocks.length, 3)
  for (const yaml of blocks) assert.equal(parseTask(yaml, { file: 'example.yaml' }).iap_version, '0.2')
})

function catchError(act: () => unknown): WaybillError {
  try {
    act()
  } catch (error) {
    assert.ok(error instanceof WaybillError)
    return error
  }
  assert.fail('nothing was thrown')
}
