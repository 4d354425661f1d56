// A rehearsal that stops for an approval, and continues after it: no key, no network.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'

function waybill(...args: string[]) {
  const { status, stdout, stderr } = spawnSync('waybill', args, {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

const asked = waybill('run', 'refunds.yaml', '--rehearse', '--ask', 'Parcel 1Z99A1 is lost.', '--json')
assert.equal(asked.status, 4, asked.stderr)
assert.equal(JSON.parse(asked.stdout).status, 'awaiting_approval')

const [waiting] = JSON.parse(waybill('approvals', 'list', '--json').stdout).approvals
assert.deepEqual([waiting.tool, waiting.arguments], ['refund', { parcel: '1Z99A1', eur: 40 }])

const done = waybill('approvals', 'approve', 'last', '--resume', '--json')
assert.equal(done.status, 0, done.stderr)
const { status, rehearsal, usage } = JSON.parse(done.stdout)
assert.deepEqual([status, rehearsal, usage.tool_calls], ['completed', true, 1])
