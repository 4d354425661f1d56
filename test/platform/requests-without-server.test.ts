import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Tenant } from '../../src/platform/platform.ts'
import { peopleSite } from './people-fixture.ts'

/** Requests with a member that does not exist, as a command on a local database or the library may make them. */
const UNKNOWN: Readonly<Record<string, (tenant: Tenant) => Promise<unknown>>> = {
  'a session': ({ sessions }) => sessions.create({ agent_id: 'a', ...{ agent: 'b' } }),
  'a message': ({ sessions }) => sessions.send('s', { input: 'hello', ...{ id: 'm' } }),
  'a secret': async ({ secrets }) =>
    (await secrets()).set('KEY', { value: 'v', hosts: ['api.example'], ...{ host: 'other.example' } }),
  'a stop': ({ stops }) => stops.stop({ user: 'ada', ...{ users: 'all' } }),
  'an approval policy': ({ inbox }) => inbox.setPolicy('all', { approvals_needed: 2, ...{ approvals: 2 } }),
  'a rule': ({ rules }) => rules.create({ agent_id: 'a', what: 'send', ...{ use: 1 } }),
  'a preview of a rule': ({ rules }) => rules.preview({ agent_id: 'a', what: 'send', ...{ call: 1 } }),
  'a rule of a decision': ({ rules }) =>
    rules.approve('r~1~YQ', { verdict: 'approve' }, { uses: 1, ...{ use: 1 } }),
  budgets: ({ budgets }) =>
    budgets.replace({ budgets: [{ kind: 'organisation', per: 'day', calls: 5, ...{ call: 1 } }] }),
  'an organisation': ({ organisations }) =>
    organisations.create({ organisation: 'acme', admin: { user: 'ada', ...{ roles: ['viewer'] } } }),
  'a member': async ({ people }) =>
    (await people()).setMember({ user: 'ada', roles: ['viewer'], ...{ team: 'desk' } }),
  'a team': async ({ people }) => (await people()).setTeam({ team: 'desk', ...{ member: ['ada'] } }),
  'a token': async ({ tokens }) => (await tokens()).create({ name: 'ci', ...{ scope: ['runs:read'] } }),
}

describe('a request that no server has checked', () => {
  it('is refused because of a member that its schema does not name', async (t) => {
    const site = await peopleSite(t)
    const platform = await site.platform()
    const principal = await platform.authenticate(site.admin)
    assert.ok(principal)
    for (const [what, act] of Object.entries(UNKNOWN))
      await assert.rejects(act(platform.tenant(principal)), { code: 'REQUEST_INVALID' }, what)
    await assert.rejects(
      (await platform.tenant(principal).secrets()).set('1 KEY', { value: 'v', hosts: [] }),
      {
        code: 'REQUEST_INVALID',
        message: /the name of a secret/,
      },
    )
  })
})
