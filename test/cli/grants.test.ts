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
  test('AAIF-4.9-10: lets a call that is like its rule go ahead, and records who said so with what words', async (t) => {
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

  test('AAIF-4.9-10: leaves a call that is not like it to a person, and holds for the whole run', async (t) => {
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

  test('a rule that could never fit is refused before anything happens', async (t) => {
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
  test('AAIF-4.9-10: lets the waiting run go on, and names itself and its maker in the record', async (t) => {
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

  test('is previewed against past calls, with those that a person denied', async (t) => {
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
    assert.match(eyes.err, /1 call of 2 on record would need no question/)
    assert.match(eyes.err, /denied by a person then/)
  })

  test('ends with its time, its uses, its revocation, and a change of the definition', async (t) => {
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

  test('is for one agent: another with the same tool still asks', async (t) => {
    const place = new Place(t)
    await allow(place)
    place.write('other.json', JSON.stringify({ ...DEFINITION, agent_id: 'another-agent' }))
    const said = await waybill(place, ['run', 'other.json', ...run().slice(2)])
    assert.equal(said.code, 4)
  })

  test('never decides about a call that may have happened already', async (t) => {
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

  test('its last use is one use, however many processes reach for it', async (t) => {
    const place = new Place(t)
    await allow(place, '--uses', '2')
    const started = [1, 2, 3, 4].map(() => start(place, run('--json')))
    const codes = await Promise.all(started.map(({ ended }) => ended))
    assert.deepEqual(codes.sort(), [0, 0, 4, 4])
    assert.equal(place.sent().length, 2)
  })

  test('a grant that was changed on disk grants nothing, and an error says so', async (t) => {
    const place = new Place(t)
    await allow(place)
    place.tamper("UPDATE grants SET body = replace(body, 'to=*@ours.example', '')")
    const said = await waybill(place, run('--json'))
    assert.deepEqual([said.code, json(said).error.code], [3, 'RECORD_DAMAGED'])
    assert.deepEqual(place.sent(), [])
  })
})

describe('waybill grants', () => {
  test('shows in one list what was given, for whom, until when, by whom, and what the configuration allows', async (t) => {
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
    await allow(place, '--why', 'a quiet evening')
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
    assert.ok(Date.parse(rule.until) - Date.now() < 3_600_001)
    assert.equal(host.for, null)
    assert.equal(secret.until, null)
    const eyes = await waybill(place, ['grants', 'list'])
    assert.match(eyes.out, /send_mail to=\*@ours\.example {2}for Clerk \(\S+\.json\), for another/)
    assert.match(eyes.out, /CRM@crm\.example {2}for Clerk \(\S+\.json\), until revoked/)
  })

  test('a host counts for the agent that it was given to, and for no other', async (t) => {
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

  test('what would open nothing is not given: private addresses, and secrets with wild cards', async (t) => {
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

  test('says what is wrong, and what to do', async (t) => {
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
  test('knows of grants that were given, in force, used and taken back, and of what came in', async (t) => {
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

  test('is shown with what a person wrote, and nothing of it steers a terminal', async (t) => {
    const place = audited(t)
    const why = 'asked\u009b31m by\u202e ada'
    await allow(place, '--why', why)
    for (const form of [[], ['--json']]) {
      const { out } = await waybill(place, ['audit', 'show', ...form])
      assert.match(out, /asked\\u009b31m by\\u202e ada/)
      assert.doesNotMatch(out, /[\u007f-\u009f\u202a-\u202e]/)
    }
    const [given] = await audit(place)
    assert.equal(given.why, why)
  })

  test('knows of a run that was imported, also when only a sub-agent of it wants a log', async (t) => {
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

  test('knows of a record that was removed', async (t) => {
    const place = audited(t)
    const { run_id } = json(await waybill(place, run('--yes', OURS, '--json')))
    assert.equal((await waybill(place, ['runs', 'rm', run_id])).code, 0)
    const last = (await audit(place)).at(-1)
    assert.deepEqual([last.kind, last.run_id], ['run.removed', run_id])
  })

  test('knows of a definition that was turned away', async (t) => {
    const place = audited(t, 'regulated')
    writeFileSync(join(place.home, '..', 'signed.yaml'), 'signatures: { default: require }\n')
    const said = await waybill(place, run('--config', 'signed.yaml', '--json'))
    assert.equal(json(said).status, 'refused')
    const facts = await audit(place)
    const kinds = facts.map(({ kind }: { kind: string }) => kind)
    assert.deepEqual(kinds, ['definition.imported', 'grants.in_force', 'run.refused'])
    assert.deepEqual([facts[0].signature, facts[2].rule], ['unsigned', 'AAIF-12-13'])
  })

  test('AAIF-7-10: an entry says that a regulated agent was refused for want of a capability', async (t) => {
    const compliance = { safety_level: 'regulated' }
    const required_capabilities = ['post.office']
    const agent = { ...DEFINITION.agent, compliance, required_capabilities }
    const place = new Place(t, { ...DEFINITION, agent })
    assert.equal(json(await waybill(place, run('--json'))).error.code, 'CAPABILITY_UNMET')
    const facts = await audit(place)
    assert.deepEqual([facts.at(-1).kind, facts.at(-1).rule], ['run.refused', 'AAIF-7-01'])
    assert.equal((await waybill(place, ['audit', 'verify'])).code, 0)
  })

  test('a rule is not given when the log is damaged; one is revoked all the same', async (t) => {
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

test('a question is taken back when a rule answers it from another terminal', async (t) => {
  const place = new Place(t)
  const { run_id } = json(await waybill(place, run('--json')))
  await allow(place)
  assert.equal((await waybill(place, ['resume', run_id])).code, 0)
})
