import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, beforeEach, describe, type TestContext, test } from 'node:test'
import { DEFINITION, GO, MailModel, Place, type Said, start, waybill } from './fixture.ts'

const model = new MailModel()
before(() => model.begin())
after(() => model.server.stop())
beforeEach(() => model.script({ args: '{"to":"ada@ours.example"}' }))

const json = ({ out }: Said) => JSON.parse(out)
const run = (...more: string[]) => [...GO, ...model.flags, ...more]
const OURS = 'send_mail to=*@ours.example'
const allow = (place: Place, ...more: string[]) =>
  waybill(place, [
    'grants',
    'allow',
    'call',
    OURS,
    '--agent',
    'agent.json',
    '--by',
    'grace',
    '--json',
    ...more,
  ])
const audit = async (place: Place) =>
  json(await waybill(place, ['audit', 'show', '--json'])).entries.map(
    ({ fact }: { fact: { kind: string } }) => fact,
  )

function audited(t: TestContext, level = 'standard'): Place {
  const { agent } = DEFINITION
  const compliance = { ...agent.compliance, audit_log: true, safety_level: level }
  return new Place(t, { ...DEFINITION, agent: { ...agent, compliance } })
}

describe('--yes', () => {
  test('AAIF-4.9-10: approves a matching call, and records the person and the rule', async (t) => {
    const place = new Place(t)
    const said = await waybill(place, run('--yes', OURS, '--json'))
    assert.equal(said.code, 0, said.err)
    assert.deepEqual(place.sent(), ['ada@ours.example'])
    const events = json(await waybill(place, ['runs', 'events', json(said).run_id, '--json']))
    const decided = events.find(({ type }: { type: string }) => type === 'person.decided')
    assert.equal(decided.verdict, 'approve')
    assert.equal(decided.grant, '--yes')
    assert.equal(decided.why, `standing rule: ${OURS}`)
  })

  test('AAIF-4.9-10: leaves other calls to a person, and applies to the whole run', async (t) => {
    const place = new Place(t)
    model.script({ args: '{"to":"eve@evil.example"}' })
    const said = await waybill(place, run('--yes', OURS, '--json'))
    assert.equal(said.code, 4)
    const { run_id } = json(said)
    assert.equal((await waybill(place, ['resume', run_id, '--json'])).code, 4)
    const slip = await waybill(place, ['resume', run_id, '--yes', 'send_mial', '--json'])
    assert.deepEqual([slip.code, json(slip).error.code], [2, 'CALL_RULE_UNKNOWN_TOOL'])
    assert.deepEqual(place.sent(), [])
    const more = await waybill(place, ['resume', run_id, '--yes', 'send_mail to=eve@evil.example', '--json'])
    assert.equal(more.code, 0, more.err)
    assert.deepEqual(place.sent(), ['eve@evil.example'])
  })

  test('a rule that could never match is refused before the run starts', async (t) => {
    const place = new Place(t)
    const tool = await waybill(place, run('--yes', 'send_mall to=x', '--json'))
    assert.deepEqual(
      [tool.code, json(tool).error.code, json(tool).error.hint],
      [2, 'CALL_RULE_UNKNOWN_TOOL', 'did you mean send_mail?'],
    )
    const argument = await waybill(place, run('--yes', 'send_mail too=x', '--json'))
    assert.deepEqual([argument.code, json(argument).error.code], [2, 'CALL_RULE_UNKNOWN_ARGUMENT'])
    const words = await waybill(place, run('--yes', 'send_mail to', '--json'))
    assert.deepEqual([words.code, json(words).error.code], [2, 'CALL_RULE_INVALID'])
    assert.deepEqual(await place.runIds(), [])
  })
})

describe('a standing rule', () => {
  test('AAIF-4.9-10: approves the waiting call on resume, and the record names the rule and its author', async (t) => {
    const place = new Place(t)
    const waiting = json(await waybill(place, run('--json')))
    assert.equal(waiting.status, 'awaiting_approval')
    const { given, grant } = json(await allow(place))
    assert.equal(given, true)
    const resumed = await waybill(place, ['resume', waiting.run_id, '--events', 'ndjson'])
    assert.equal(resumed.code, 0, resumed.err)
    const decided = resumed.out.split('\n').find((line) => line.includes('person.decided'))
    const { by, grant: id } = JSON.parse(decided ?? '{}')
    assert.deepEqual([by, id], ['grace', grant.id])
    assert.deepEqual(place.sent(), ['ada@ours.example'])
  })

  test('is previewed on past calls, including calls that a person denied', async (t) => {
    const place = new Place(t)
    const first = json(await waybill(place, run('--json')))
    await waybill(place, ['approvals', 'deny', first.run_id, '--by', 'grace'])
    await waybill(place, ['resume', first.run_id])
    model.script({ args: '{"to":"eve@evil.example"}' })
    await waybill(place, run('--json'))
    const { given, preview } = json(await allow(place, '--preview'))
    assert.equal(given, false)
    assert.deepEqual([preview.runs, preview.calls, preview.covered, preview.denied], [2, 2, 1, 1])
    assert.deepEqual(preview.covered_calls[0].decided, { verdict: 'deny', by: 'grace' })
    assert.match(preview.other_calls[0].why_not, /to is "eve@evil\.example"/)
    assert.deepEqual(json(await waybill(place, ['grants', 'list', '--json'])).grants, [])
    const eyes = await waybill(place, ['grants', 'allow', 'call', OURS, '--agent', 'agent.json', '--preview'])
    assert.match(eyes.err, /1 call of 2 recorded would need no approval/)
    assert.match(eyes.err, /was denied by a person/)
  })

  test('ends at its expiry, after its last use, when revoked, and when the definition changes', async (t) => {
    const place = new Place(t)
    await allow(place, '--uses', '1')
    assert.equal((await waybill(place, run())).code, 0)
    assert.equal((await waybill(place, run())).code, 4, 'its only use is gone')

    const { grant } = json(await allow(place))
    assert.equal((await waybill(place, run())).code, 0)
    await waybill(place, ['grants', 'revoke', grant.id])
    assert.equal((await waybill(place, run())).code, 4, 'revoked')

    const { id } = json(await allow(place)).grant
    await place.withHome(async ({ grants }) => {
      const given = (await grants.list()).find((one) => one.id === id)
      if (given !== undefined) await grants.give({ ...given, until: '2026-01-01T00:00:00Z' }, [])
    })
    assert.equal((await waybill(place, run())).code, 4, 'out of time')

    await allow(place)
    const changed = { ...DEFINITION, agent: { ...DEFINITION.agent, goal: 'Send whatever comes.' } }
    place.write('agent.json', JSON.stringify(changed))
    assert.equal((await waybill(place, run())).code, 4, 'another definition')
    await allow(place, '--any-version')
    place.write('agent.json', JSON.stringify({ ...changed, agent: { ...changed.agent, goal: 'Once more.' } }))
    assert.equal((await waybill(place, run())).code, 0, 'for any version')
    assert.equal(place.sent().length, 3)
  })

  test('applies to one agent: another agent with the same tool still needs approval', async (t) => {
    const place = new Place(t)
    await allow(place)
    place.write('other.json', JSON.stringify({ ...DEFINITION, agent_id: 'another-agent' }))
    const said = await waybill(place, ['run', 'other.json', ...run().slice(2)])
    assert.equal(said.code, 4)
  })

  test('never decides about a call with unknown outcome', async (t) => {
    const place = new Place(t)
    place.write(
      'doomed.mjs',
      `export const tools = { send_mail: async () => process.kill(process.pid, 'SIGKILL') }\n`,
    )
    await allow(place)
    const dead = start(place, ['run', 'agent.json', '--tools', 'doomed.mjs', '--input', 'Go', ...model.flags])
    assert.equal(await dead.ended, 'SIGKILL')
    const [id = ''] = await place.runIds()
    const resumed = await waybill(place, ['resume', id, '--tools', 'tools.mjs'])
    assert.equal(resumed.code, 4)
    assert.deepEqual(place.sent(), [])
  })

  test('its last use is used once, even by several processes', async (t) => {
    const place = new Place(t)
    await allow(place, '--uses', '2')
    const started = [1, 2, 3, 4].map(() => start(place, run('--json')))
    const codes = await Promise.all(started.map(({ ended }) => ended))
    assert.deepEqual(codes.sort(), [0, 0, 4, 4])
    assert.equal(place.sent().length, 2)
  })

  test('a grant that was changed on disk has no effect, and an error reports it', async (t) => {
    const place = new Place(t)
    await allow(place)
    place.tamper("UPDATE grants SET body = replace(body, 'to=*@ours.example', '')")
    const said = await waybill(place, run('--json'))
    assert.deepEqual([said.code, json(said).error.code], [3, 'RECORD_DAMAGED'])
    assert.deepEqual(place.sent(), [])
  })
})

describe('waybill grants', () => {
  test('lists grants with agent, expiry and author, and the grants of the configuration', async (t) => {
    const crm = {
      name: 'crm',
      description: 'Asks the CRM.',
      protocol: 'http',
      endpoint: 'https://crm.example/v1',
      auth: { type: 'bearer', env_var: 'CRM' },
      parameters_schema: { type: 'object' },
    }
    const { agent } = DEFINITION
    const place = new Place(t, { ...DEFINITION, agent: { ...agent, tools: [...agent.tools, crm] } })
    const before = Date.now()
    await allow(place, '--why', 'a quiet evening')
    const after = Date.now()
    await waybill(place, ['grants', 'allow', 'host', 'api.ours.example', '--for', '7d'])
    await waybill(place, ['grants', 'allow', 'secret', 'CRM@crm.example', '--agent', 'agent.json'])
    writeFileSync(
      join(place.home, 'config.yaml'),
      'allow_hosts: [x.example]\nmcp_servers: { files: { command: npx, args: [fs] } }\n',
    )
    const { grants } = json(await waybill(place, ['grants', 'list', '--json']))
    assert.deepEqual(
      grants.map(({ kind, what, source }: Record<string, string>) => [kind, what, source]),
      [
        ['call', OURS, 'home'],
        ['host', 'api.ours.example', 'home'],
        ['secret', 'CRM@crm.example', 'home'],
        ['host', 'x.example', 'config.yaml'],
        ['server', 'files: npx fs', 'config.yaml'],
      ],
    )
    const [rule, host, secret] = grants
    assert.equal(rule.for.agent_id, DEFINITION.agent_id)
    assert.match(rule.for.definition, /^file:\/\/.*\/agent\.json$/)
    assert.equal(rule.why, 'a quiet evening')
    const HOUR = 3_600_000
    const until = Date.parse(rule.until)
    assert.ok(until >= before + HOUR && until <= after + HOUR, rule.until)
    assert.equal(host.for, null)
    assert.equal(secret.until, null)
    const eyes = await waybill(place, ['grants', 'list'])
    assert.match(
      eyes.out,
      /^\S+ +call +send_mail to=\*@ours\.example +grace, .* +for Clerk \(\S+\.json\), for .* more$/m,
    )
    assert.match(eyes.out, /^\S+ +secret +CRM@crm\.example +.* +for Clerk \(\S+\.json\), until revoked$/m)
  })

  test('a host is allowed only for the agent of its grant', async (t) => {
    const crm = {
      ...DEFINITION.agent.tools[0],
      name: 'crm',
      protocol: 'http',
      endpoint: 'https://crm.example.com/v1',
    }
    const place = new Place(t, { ...DEFINITION, agent: { ...DEFINITION.agent, tools: [crm] } })
    const gate = async (file: string) =>
      json(await waybill(place, ['plan', file, '--json'])).tools[0].gate as string
    place.write(
      'other.json',
      JSON.stringify({ ...DEFINITION, agent_id: 'another', agent: { ...DEFINITION.agent, tools: [crm] } }),
    )
    assert.equal(await gate('agent.json'), 'deny')
    await waybill(place, ['grants', 'allow', 'host', 'crm.example.com', '--agent', 'agent.json'])
    assert.deepEqual([await gate('agent.json'), await gate('other.json')], ['ask', 'deny'])
    await waybill(place, ['grants', 'revoke', '--all'])
    assert.equal(await gate('agent.json'), 'deny')
  })

  test('grants without effect are refused: private addresses, and secrets with wild cards', async (t) => {
    const place = new Place(t)
    for (const [kind, what, code] of [
      ['host', '127.0.0.1:8080', 'HOST_GRANT_INVALID'],
      ['host', 'localhost', 'HOST_GRANT_INVALID'],
      ['host', '[::1]:80', 'HOST_GRANT_INVALID'],
      ['host', '169.254.169.254', 'HOST_GRANT_INVALID'],
      ['secret', 'CRM@*.example', 'SECRET_GRANT_INVALID'],
    ] as const) {
      const said = await waybill(place, ['grants', 'allow', kind, what, '--json'])
      assert.deepEqual([said.code, json(said).error.code], [2, code], what)
    }
    assert.deepEqual(json(await waybill(place, ['grants', 'list', '--json'])).grants, [])
    for (const host of ['crm.example', '*.crm.example:8443', '93.184.216.34'])
      assert.equal((await waybill(place, ['grants', 'allow', 'host', host])).code, 0, host)
  })

  test('reports what is wrong, and how to fix it', async (t) => {
    const place = new Place(t)
    const code = async (...argv: string[]) => {
      const said = await waybill(place, ['grants', ...argv, '--json'])
      return [said.code, json(said).error.code]
    }
    assert.deepEqual(await code('revoke', 'g-0'), [2, 'GRANT_NOT_FOUND'])
    assert.deepEqual(await code('revoke'), [2, 'USAGE'])
    assert.deepEqual(await code('allow', 'call', OURS), [2, 'USAGE'])
    assert.deepEqual(await code('allow', 'call', OURS, '--agent', 'nobody'), [2, 'AGENT_NOT_FOUND'])
    assert.deepEqual(await code('allow', 'host', 'x.example', '--for', 'ever'), [2, 'UNTIL_INVALID'])
    assert.deepEqual(await code('allow', 'host', '*.example'), [2, 'HOST_GRANT_INVALID'])
    assert.deepEqual(await code('allow', 'secret', 'CRM'), [2, 'SECRET_GRANT_INVALID'])
  })
})

describe('AAIF-4.9-08: the audit log', () => {
  test('contains grants that were created, in force, used and revoked, and imports', async (t) => {
    const place = audited(t)
    const { grant } = json(await allow(place))
    assert.equal((await waybill(place, run('--allow-host', 'h.example', '--yes', 'send_mail to=x'))).code, 0)
    await waybill(place, ['grants', 'revoke', grant.id, '--by', 'ada'])
    const facts = await audit(place)
    const of = (kind: string) => facts.filter((fact: { kind: string }) => fact.kind === kind)
    assert.deepEqual([of('grant.given')[0].what, of('grant.given')[0].by], [OURS, 'grace'])
    const [imported] = of('definition.imported')
    assert.match(imported.source, /agent\.json$/)
    assert.equal(imported.signature, 'unsigned')
    const [inForce] = of('grants.in_force')
    assert.ok(inForce.hosts.includes('h.example (flag)'))
    assert.deepEqual(inForce.calls, ['send_mail to=x'])
    assert.equal(of('person.decided')[0].grant, grant.id)
    assert.deepEqual([of('grant.revoked')[0].grant, of('grant.revoked')[0].by], [grant.id, 'ada'])
    assert.equal((await waybill(place, ['audit', 'verify'])).code, 0)
  })

  test('is shown with the texts of persons, without control characters', async (t) => {
    const place = audited(t)
    const why = '\u009b\u202e asked by ada'
    await allow(place, '--why', why)
    for (const form of [[], ['--json']]) {
      const { out } = await waybill(place, ['audit', 'show', ...form])
      // A line is cut at a length, and the path of the folder may be long.
      assert.match(out, /\\u009b\\u202e/)
      assert.doesNotMatch(out, /[\u007f-\u009f\u202a-\u202e]/)
    }
    const [given] = await audit(place)
    assert.equal(given.why, why)
  })

  test('contains the import of a run, even if only a sub-agent requires a log', async (t) => {
    const { agent } = DEFINITION
    const helper = { ...agent, name: 'Helper', tools: [], compliance: { audit_log: true } }
    const orchestration = { subagents: [{ ref: 'helper', alias: 'helper' }] }
    const there = new Place(t, { ...DEFINITION, agent: { ...agent, orchestration } })
    there.write('helper.json', JSON.stringify({ ...DEFINITION, agent_id: 'helper', agent: helper }))
    model.script({ calls: false })
    assert.equal((await waybill(there, run())).code, 0)
    const { out: exported } = await waybill(there, ['runs', 'export', 'last'])
    const here = new Place(t)
    const said = await waybill(here, ['runs', 'import', '-', '--json'], { stdin: exported })
    assert.equal(said.code, 0, said.out)
    const [imported] = await audit(here)
    assert.deepEqual([imported?.kind, imported?.run_id], ['run.imported', json(said).run_id])
  })

  test('contains the removal of a record', async (t) => {
    const place = audited(t)
    const { run_id } = json(await waybill(place, run('--yes', OURS, '--json')))
    assert.equal((await waybill(place, ['runs', 'rm', run_id])).code, 0)
    const last = (await audit(place)).at(-1)
    assert.deepEqual([last.kind, last.run_id], ['run.removed', run_id])
  })

  test('contains the refusal of a definition', async (t) => {
    const place = audited(t, 'regulated')
    writeFileSync(join(place.home, '..', 'signed.yaml'), 'signatures: { default: require }\n')
    const said = await waybill(place, run('--config', 'signed.yaml', '--json'))
    assert.equal(json(said).status, 'refused')
    const facts = await audit(place)
    const kinds = facts.map(({ kind }: { kind: string }) => kind)
    assert.deepEqual(kinds, ['definition.imported', 'grants.in_force', 'run.refused'])
    assert.deepEqual([facts[0].signature, facts[2].rule], ['unsigned', 'AAIF-12-13'])
  })

  test('AAIF-7-10: contains the refusal of a regulated agent because a capability is missing', async (t) => {
    const compliance = { safety_level: 'regulated' }
    const required_capabilities = ['post.office']
    const agent = { ...DEFINITION.agent, compliance, required_capabilities }
    const place = new Place(t, { ...DEFINITION, agent })
    assert.equal(json(await waybill(place, run('--json'))).error.code, 'CAPABILITY_UNMET')
    const facts = await audit(place)
    assert.deepEqual([facts.at(-1).kind, facts.at(-1).rule], ['run.refused', 'AAIF-7-01'])
    assert.equal((await waybill(place, ['audit', 'verify'])).code, 0)
  })

  test('with a damaged log, a rule cannot be created, but it can be revoked', async (t) => {
    const place = new Place(t)
    await allow(place)
    await waybill(place, ['grants', 'revoke', json(await allow(place)).grant.id])
    const { grant: standing } = json(await allow(place))
    place.tamper('DELETE FROM audit')
    const other = await waybill(place, ['grants', 'allow', 'host', 'x.example', '--json'])
    assert.deepEqual([other.code, json(other).error.code], [1, 'AUDIT_DAMAGED'])
    assert.equal((await waybill(place, ['grants', 'revoke', standing.id])).code, 1)
    assert.deepEqual(json(await waybill(place, ['grants', 'list', '--json'])).grants, [])
  })
})

test('a prompt is closed when a rule from another terminal decides the call', async (t) => {
  const place = new Place(t)
  const { run_id } = json(await waybill(place, run('--json')))
  await allow(place)
  assert.equal((await waybill(place, ['resume', run_id])).code, 0)
})
