import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { DEFINITION, GO, MailModel, Place, waybill } from './fixture.ts'

const member = (name: string, more: object = {}) =>
  JSON.stringify({
    sc_standard: 'SC-006',
    agent: { name, goal: `Be ${name}.`, model: { provider: 'openai', preferred: 'x' }, ...more },
  })

function family(t: TestContext): Place {
  const place = new Place(t, {
    ...DEFINITION,
    agent: {
      name: 'Head',
      goal: 'Let others work.',
      orchestration: {
        subagents: [{ ref: 'team', alias: 'middle' }, { ref: 'missing' }],
        pipeline: ['middle', 'missing'],
        handoff: [{ condition: { lang: 'cel', expr: 'input == "x"' }, target_agent: 'middle' }],
      },
    },
  })
  place.write(
    'team.json',
    member('Team', {
      orchestration: {
        subagents: [
          { ref: 'leaf', alias: 'left', when: 'on Mondays' },
          { ref: 'leaf', alias: 'right' },
        ],
        parallel_execution: true,
        consensus: { strategy: 'majority_vote', min_votes: 1 },
      },
    }),
  )
  place.write('leaf.json', member('Leaf'))
  return place
}

describe('orchestration on the command line', () => {
  test('plan shows the pattern, the roles, the hand-offs, and why a sub-agent cannot be called', async (t) => {
    const place = family(t)
    const { out, code } = await waybill(place, ['plan', 'agent.json'])
    assert.equal(code, 1)
    assert.match(out, /✓ middle \(team\)/)
    assert.match(out, /✗ missing\n +cannot be called: no definition in .* has this id, path or name/)
    assert.match(out, /pipeline: middle → missing/)
    assert.match(out, /hand-off to middle when cel input == "x"/)
    const team = (await waybill(place, ['plan', 'team.json'])).out
    assert.match(team, /left \(leaf; when "on Mondays" \(a plain text: never true\)\)/)
    assert.match(
      team,
      /swarm: left, right in parallel; majority vote: the most common answer, of at least 1 worker/,
    )
  })

  test('runs list shows root runs, and with --all the runs of sub-agents; show prints the tree; rm removes all of it', async (t) => {
    const place = family(t)
    const ran = JSON.parse((await waybill(place, ['run', 'agent.json', '--rehearse', '--json'])).out)
    const list = async (...more: string[]) =>
      JSON.parse((await waybill(place, ['runs', 'list', '--json', ...more])).out).runs
    assert.deepEqual(
      (await list()).map(({ run_id }: { run_id: string }) => run_id),
      [ran.run_id],
    )
    const all = await list('--all')
    assert.equal(all.length, 4)
    const leaf = all.find(({ agent_name }: { agent_name: string }) => agent_name === 'Leaf')
    assert.equal(leaf.parent.alias, 'right')
    assert.equal(leaf.parent.root_run_id, ran.run_id)
    const shown = await waybill(place, ['runs', 'show', ran.run_id])
    assert.match(shown.out, /\nmiddle completed .*\n {2}right completed .*\nmissing completed/)
    const data = JSON.parse((await waybill(place, ['runs', 'show', ran.run_id, '--json'])).out)
    assert.equal(data.subagents[0].subagents[0].run_id, leaf.run_id)
    await waybill(place, ['runs', 'rm', ran.run_id])
    assert.deepEqual(await place.runIds(), [])
  })

  test('resume continues the root run, also if the run of a sub-agent is given', async (t) => {
    const model = new MailModel()
    await model.begin()
    t.after(() => model.server.stop())
    const place = new Place(t, {
      ...DEFINITION,
      agent: {
        name: 'Head',
        goal: 'Let another work.',
        orchestration: { subagents: [{ ref: 'clerk' }], pipeline: ['clerk'] },
      },
    })
    place.write('clerk.json', JSON.stringify({ sc_standard: 'SC-006', agent: DEFINITION.agent }))
    const run = [...GO, '--json', ...model.flags]
    const waiting = await waybill(place, run)
    assert.equal(waiting.code, 4, waiting.err)
    const { run_id, subagents } = JSON.parse(waiting.out)
    const child = subagents[0].run_id
    assert.equal((await waybill(place, ['approvals', 'approve', child])).code, 0)
    const resumed = await waybill(place, ['resume', child, '--json'])
    assert.equal(resumed.code, 0, resumed.err)
    assert.match(
      resumed.err,
      new RegExp(`${child.slice(-6)} is the run of a sub-agent: resuming the root run ${run_id.slice(-6)}\n`),
    )
    const result = JSON.parse(resumed.out)
    assert.deepEqual([result.run_id, result.output], [run_id, 'It is sent.'])
    assert.deepEqual(place.sent(), ['ada'])

    place.tamper('DELETE FROM runs WHERE run_id = ?', run_id)
    const orphan = await waybill(place, ['resume', child, '--json'])
    assert.equal(orphan.code, 3)
    const { code, message } = JSON.parse(orphan.out).error
    assert.equal(code, 'RECORD_DAMAGED')
    assert.match(message, new RegExp(`the run that started it is missing: ${run_id}`))
  })
})
