import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { serveFake } from '../server/served.ts'
import { DEFINITION, Place, waybill } from './fixture.ts'

const IDS = [1, 2, 3].map((n) => `5b0f6a0e-92a4-4f8a-9d57-3c1f6e2b8a0${n}`)

function definition(id: string | undefined, name: string, version = '1.0.0'): string {
  return JSON.stringify({ ...DEFINITION, agent_id: id, agent: { ...DEFINITION.agent, name, version } })
}

/** A server with two agents of one name and one of another, and a user who is logged in. */
async function scene(t: TestContext) {
  const { server, token } = await serveFake(t)
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  const place = new Place(t)
  await waybill(place, ['login', url], { stdin: token })
  const upload = async (id: string | undefined, name: string, version?: string) => {
    place.write('up.json', definition(id, name, version))
    const said = await waybill(place, ['agents', 'upload', 'up.json', '--json'])
    assert.equal(said.code, 0, said.out)
  }
  await upload(IDS[0], 'Refund desk')
  await upload(IDS[1], 'Twin')
  await upload(IDS[2], 'Twin')
  return { place, url, upload, say: (...argv: readonly string[]) => waybill(place, argv) }
}

const errorOf = ({ out }: { readonly out: string }) => JSON.parse(out).error

describe('agents of a server', () => {
  test('are found by their name, for a run and for each command of agents', async (t) => {
    const { say } = await scene(t)
    const run = await say('run', 'Refund desk', 'hi', '--detach', '--json')
    assert.equal(run.code, 0, run.out + run.err)
    for (const argv of [
      ['show', 'Refund desk'],
      ['versions', 'Refund desk'],
      ['label', 'Refund desk', 'production', '1.0.0'],
      ['activate', 'Refund desk'],
      ['deprecate', 'Refund desk'],
    ]) {
      const said = await say('agents', ...argv, '--json')
      assert.equal(said.code, 0, said.out)
      assert.ok(said.out.includes(IDS[0] ?? ''), said.out)
    }
    const missing = await say('agents', 'label', 'Refund desk', 'production')
    assert.match(missing.err, /needs either a version or --remove/)
    assert.equal((await say('agents', 'label', 'Refund desk', 'production', '--remove')).code, 0)
  })

  test('an id is preferred to a name, and a name of several agents is an error with their ids', async (t) => {
    const { say, upload } = await scene(t)
    for (const argv of [
      ['run', 'Twin', 'hi'],
      ['agents', 'show', 'Twin'],
      ['agents', 'activate', 'Twin'],
    ]) {
      const error = errorOf(await say(...argv, '--json'))
      assert.equal(error.code, 'AGENT_AMBIGUOUS')
      assert.ok(error.message.includes(IDS[1]) && error.message.includes(IDS[2]), error.message)
    }
    await upload(`${IDS[0]}9`, IDS[1] ?? '')
    assert.equal(JSON.parse((await say('agents', 'show', IDS[1] ?? '', '--json')).out).name, 'Twin')
    // Of two agents with the name, only one can be run.
    await say('agents', 'deprecate', IDS[1] ?? '')
    assert.equal((await say('run', 'Twin', 'hi', '--detach')).code, 0)
  })

  test('a mistyped name, and a mistyped file, are answered with what was probably meant', async (t) => {
    const { say, place } = await scene(t)
    for (const argv of [
      ['run', 'Refund dsk', 'hi', '--json'],
      ['agents', 'show', 'refund desk', '--json'],
    ]) {
      const { code, hint, message } = errorOf(await say(...argv))
      assert.equal(code, 'AGENT_NOT_FOUND')
      assert.match(hint, /did you mean Refund desk\?.*`waybill agents list`/)
      assert.doesNotMatch(message + hint, /GET|\/v1/)
    }
    for (const file of ['agnet.json', './agnet.json']) {
      const error = errorOf(await say('run', file, 'hi', '--json'))
      assert.deepEqual([error.code, error.hint], ['FILE_UNREADABLE', 'did you mean agent.json?'])
    }
    place.write('clerk', definition(IDS[0], 'Clerk'))
    assert.match(errorOf(await say('run', 'clrek', 'hi', '--json')).hint, /did you mean clerk\?/)
  })

  test('are listed in a table that fits', async (t) => {
    const { say } = await scene(t)
    const { out, err } = await say('agents', 'list')
    assert.match(out, /^NAME +VERSION +STATUS +ID\n/)
    assert.match(out, new RegExp(`Refund desk +1\\.0\\.0 +active +${IDS[0]}`))
    assert.match(err, /^on http/)
    assert.equal(JSON.parse((await say('agents', 'list', '--json')).out).items.length, 3)
    assert.match(
      (await say('agents', 'versions', 'Refund desk')).out,
      /^VERSION +STATUS +DIGEST +UPLOADED\n1\.0\.0/,
    )
  })
})
