import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { DEFINITION, type MailModel, Place, start } from './fixture.ts'

class MailPlace extends Place {
  /** The keys of the idempotent writes so far. */
  keys(): readonly string[] {
    return readFileSync(join(this.folder, 'keys.log'), 'utf8').trim().split('\n')
  }
}

const WRITES = `import { appendFileSync } from 'node:fs'
const note = (file, text) => appendFileSync(new URL(file, import.meta.url), text + '\\n')
export const tools = {
  look: Object.assign(async () => 'seen', { readOnly: true }),
  put: Object.assign(async ({ n }, { idempotencyKey }) => {
    note('./sent.log', 'put ' + n)
    note('./keys.log', idempotencyKey)
    return 'put'
  }, { idempotent: true }),
  send_mail: async ({ to }) => { note('./sent.log', to); return 'sent' },
}`

/** Starts a run that looks, puts and sends two mails, and is killed while it looks. */
export async function killedBeforeItsWrites(t: TestContext, model: MailModel): Promise<MailPlace> {
  const [mail] = DEFINITION.agent.tools
  const { compliance: _hitl, ...agent } = DEFINITION.agent
  const tool = (name: string) => ({
    ...mail,
    name,
    parameters_schema: { type: 'object', properties: { n: { type: 'integer' } } },
  })
  const tools = [mail, tool('look'), tool('put')]
  const place = new MailPlace(t, { ...DEFINITION, agent: { ...agent, tools } })
  place.write(
    'dies.mjs',
    WRITES.replace("async () => 'seen'", "async () => process.kill(process.pid, 'SIGKILL')"),
  )
  const calls = [
    ['look', '{}'],
    ['put', '{"n":1}'],
    ['send_mail', '{"to":"ada"}'],
    ['send_mail', '{"to":"bob"}'],
  ] as const
  model.server.clearFixtures()
  for (const [index, [name, args]] of calls.entries())
    model.server.addFixture({
      match: { predicate: ({ messages }) => messages.filter(({ role }) => role === 'tool').length === index },
      response: { toolCalls: [{ id: `c${index}`, name, arguments: args }] },
    })
  model.server.addFixture({ match: {}, response: { content: 'Done.' } })
  const { ended } = start(place, [
    'run',
    'agent.json',
    '--tools',
    'dies.mjs',
    '--input',
    'Go',
    ...model.flags,
  ])
  await ended
  place.write('dies.mjs', WRITES)
  return place
}
