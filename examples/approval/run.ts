// An approval in code: a run waits, a person decides later in another part of the program, and the run continues.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decideApproval, listApprovals, loadAgent, openAgent, openHome, tool, WaybillError } from 'waybill'
import { scriptedModel } from 'waybill/testing'

const folder = mkdtempSync(join(tmpdir(), 'waybill-approval-'))
const home = await openHome(folder)
const booked: string[] = []

// The parcel clerk, with a person who must approve each write.
const clerk = await loadAgent(new URL('../parcel-clerk/clerk.yaml', import.meta.url))
const careful = {
  ...clerk,
  definition: {
    ...clerk.definition,
    agent: { ...clerk.definition.agent, compliance: { human_in_the_loop: { enabled: true } } },
  },
}
const agent = await openAgent(careful, {
  home,
  env: { OPENAI_API_KEY: 'not used by the script' },
  tools: {
    find_parcel: tool({ readOnly: true, execute: () => ({ place: 'depot' }) }),
    book_pickup: tool({
      parameters: { type: 'object', properties: { number: { type: 'string' } }, required: ['number'] },
      execute: ({ number }) => {
        booked.push(number)
        return { booked: true }
      },
    }),
  },
  modelPort: scriptedModel([
    { calls: [{ tool: 'book_pickup', args: { number: '1Z999AA1', day: '2026-12-01' } }] },
    '{"answer":"We fetch it on 1 December.","booked":true}',
  ]),
})

// A request of a user: the run stops at the write, and is stored.
const waiting = await agent.run('Please fetch 1Z999AA1 on 1 December.')
assert.equal(waiting.status, 'awaiting_approval')
assert.deepEqual(booked, [])

// The page of a back office: it shows what would be called, and stores the answer.
const [question, ...others] = await listApprovals({ home })
assert.ok(question !== undefined && others.length === 0)
const { run_id, call_id, tool: name, arguments: args, reason } = question
assert.deepEqual([name, args], ['book_pickup', { number: '1Z999AA1', day: '2026-12-01' }])
await decideApproval(run_id, call_id, { verdict: 'approve', by: 'Grace', why: 'on our list' }, { home })

// Each question has one decision: a second one is refused with the name of the first person.
await assert.rejects(
  decideApproval(run_id, call_id, { verdict: 'deny', by: 'Ada' }, { home }),
  (error) => error instanceof WaybillError && error.code === 'APPROVAL_DECIDED',
)

// A worker continues the run, which may be in another process on another day.
const done = await agent.resume(run_id)
assert.deepEqual(done.output, { answer: 'We fetch it on 1 December.', booked: true })
assert.deepEqual(booked, ['1Z999AA1'])

await agent.close()
await home.close()
rmSync(folder, { recursive: true })
process.stdout.write(`${name} waited (${reason}), was approved, and booked ${booked.join()}\n`)
