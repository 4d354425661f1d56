import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Role } from '../../src/session/principal.ts'
import { definition, serveFake } from './served.ts'

const AGENT = '0198c0de-0000-7000-8000-000000000001'

interface Operation {
  readonly security?: readonly unknown[]
  readonly 'x-roles'?: readonly string[]
}

describe('access', () => {
  test('the scopes that a token may be given are those of all routes, and no others', async (t) => {
    const furtherOperations = [
      {
        method: 'GET',
        path: '/v9/echoes',
        name: 'echo',
        summary: 'Echoes.',
        tag: 'echoes',
        access: 'public',
        answers: { 200: { description: 'An echo.' } },
      },
    ] as const
    const { send, token } = await serveFake(t, { furtherOperations })
    const create = (scope: string) => send('POST', '/v1/tokens', { token, json: { scopes: [scope] } })
    for (const scope of ['people:write', 'webhooks:read', 'runs:read', 'echoes:read']) {
      const made = await create(scope)
      assert.deepEqual([made.status, made.json.scopes], [201, [scope]], made.text)
    }
    for (const scope of ['echoes:write', 'webhook:read', 'runs', 'runs:delete']) {
      const refused = await create(scope)
      assert.deepEqual([refused.status, refused.json.pointer], [422, '/scopes/0'], refused.text)
    }
  })

  test('every wrong token gets the same answer, with www-authenticate and no details', async (t) => {
    const { send, platform, token } = await serveFake(t)
    const answers = []
    for (const authorization of [
      undefined,
      '',
      'Bearer',
      'Bearer unknown',
      `Bearer ${token}x`,
      `Bearer ${token.slice(0, -1)}`,
      `Basic ${token}`,
      `Bearer ${'x'.repeat(5000)}`,
      `Bearer ${token} ${token}`,
    ])
      answers.push(
        await send('GET', '/v1/runs', { headers: authorization === undefined ? {} : { authorization } }),
      )
    platform.tokens.delete(token)
    answers.push(await send('GET', '/v1/runs', { token }))
    for (const { status, headers, text } of answers) {
      assert.equal(status, 401)
      assert.equal(headers['www-authenticate'], 'Bearer realm="waybill"')
      assert.equal(text, answers[0]?.text)
    }
    assert.doesNotMatch(answers[0]?.text ?? '', /unknown|expired|revoked|missing/)
  })

  test('every route without public access refuses a request without a token', async (t) => {
    const { send } = await serveFake(t)
    const { paths } = (await send('GET', '/openapi.json')).json
    let checked = 0
    for (const [path, operations] of Object.entries(paths as Record<string, Record<string, Operation>>)) {
      for (const [method, { security }] of Object.entries(operations)) {
        const answer = await send(method.toUpperCase() as 'GET', path.replaceAll(/\{\w+\}/g, 'x'))
        // A message to a hook proves itself by its signature.
        if (path.startsWith('/v1/hooks/')) assert.equal(answer.json.code, 'HOOK_REFUSED')
        else if (security === undefined) assert.equal(answer.status, 401, `${method} ${path}`)
        else assert.notEqual(answer.status, 401, `${method} ${path}`)
        checked++
      }
    }
    assert.ok(checked > 35, `${checked} operations`)
  })

  test('every route refuses a role that it does not name, before it reads the body', async (t) => {
    const { send, platform } = await serveFake(t)
    const { paths } = (await send('GET', '/openapi.json')).json
    const roles: readonly Role[] = ['viewer', 'author', 'operator', 'approver']
    const tokens = new Map(roles.map((role) => [role, platform.token('acme', role)]))
    let refused = 0
    for (const [path, operations] of Object.entries(paths as Record<string, Record<string, Operation>>)) {
      for (const [method, operation] of Object.entries(operations)) {
        const permitted = operation['x-roles']
        if (permitted === undefined) continue
        for (const role of roles) {
          const answer = await send(method.toUpperCase() as 'GET', path.replaceAll(/\{\w+\}/g, 'x'), {
            token: tokens.get(role) ?? '',
            ...(method === 'post' && { body: '{', headers: { 'content-type': 'application/json' } }),
          })
          const isMissing = answer.status === 403
          assert.equal(isMissing, !permitted.includes(role), `${role}: ${method} ${path} ${answer.text}`)
          if (isMissing) refused++
        }
      }
    }
    assert.ok(refused > 40, `${refused} refusals`)
  })

  test('what belongs to another organisation is answered like what does not exist', async (t) => {
    const { send, platform, token } = await serveFake(t)
    await send('POST', '/v1/agents', {
      token,
      body: definition(AGENT),
      headers: { 'content-type': 'application/json' },
    })
    const { run_id } = (await send('POST', `/v1/agents/${AGENT}/runs`, { token, json: {} })).json
    const other = platform.token('rival', 'admin')
    const theirs = await send('GET', `/v1/runs/${run_id}`, { token: other })
    const unknown = await send('GET', `/v1/runs/${run_id.replace(/^./, 'z')}`, { token: other })
    assert.equal(theirs.status, 404)
    assert.equal(theirs.text.replaceAll(run_id, ''), unknown.text.replaceAll(run_id.replace(/^./, 'z'), ''))
    assert.equal((await send('GET', `/v1/runs/${run_id}`, { token })).status, 200)
  })

  test('refuses a host that names neither this machine nor the public URL', async (t) => {
    const { send, token } = await serveFake(t, { publicUrl: 'https://agents.ours.example' })
    for (const host of [
      'localhost:4400',
      '127.0.0.1',
      '[::1]:9',
      'agents.ours.example',
      'agents.ours.example:443',
    ])
      assert.equal((await send('GET', '/v1/runs', { token, headers: { host } })).status, 200, host)
    for (const host of [
      'evil.example',
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      'agents.ours.example.evil.example',
      'agents.ours.example:8080',
      '127.0.0.2',
      'evil.example:4400',
    ]) {
      for (const path of ['/v1/runs', '/healthz', '/docs/', '/nothing']) {
        const answer = await send('GET', path, { token, headers: { host } })
        assert.equal(answer.status, 421, `${host}${path}`)
        assert.equal(answer.json.code, 'HOST_REFUSED')
      }
    }
  })

  test('no answer permits other origins, and every answer has the security headers', async (t) => {
    const { send, token } = await serveFake(t)
    for (const path of ['/v1/runs', '/healthz', '/docs/', '/nothing', '/v1/runs/none', '/openapi.json']) {
      const { headers } = await send('GET', path, { token, headers: { origin: 'https://evil.example' } })
      assert.equal(headers['access-control-allow-origin'], undefined, path)
      assert.equal(headers['x-content-type-options'], 'nosniff', path)
      assert.match(
        String(headers['content-security-policy']),
        /default-src 'none'.*frame-ancestors 'none'/,
        path,
      )
    }
  })
})
