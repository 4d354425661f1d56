import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { serveFake } from '../server/served.ts'
import { Place, waybill } from './fixture.ts'
import { REMOTE_COMMANDS, REMOTE_FILES } from './remote-commands.ts'

describe('a command on a server', () => {
  test('names the server and the member that it acts for, on standard error, once', async (t) => {
    const { server, token } = await serveFake(t)
    const url = await server.listen({ host: '127.0.0.1', port: 0 })
    const place = new Place(t)
    for (const [name, text] of Object.entries(REMOTE_FILES)) place.write(name, text)
    const login = await waybill(place, ['login', url], { stdin: token })
    assert.equal(login.code, 0, login.err)
    const line = `on ${url} as acme-admin of acme\n`
    for (const [path, words] of Object.entries(REMOTE_COMMANDS)) {
      const argv = [...path.split(' '), ...words]
      const stdin = path === 'secret set' ? 'a-value' : 'hello'
      const { err } = await waybill(place, argv, { stdin })
      assert.equal(err.split(line).length, 2, `${argv.join(' ')}: ${err}`)
    }
    for (const words of [
      ['runs', 'list'],
      ['token', 'list'],
      ['agents', 'list'],
    ]) {
      assert.equal((await waybill(place, [...words, '--json'])).err, '', words.join(' '))
      const named = { env: { WAYBILL_TOKEN: token } }
      const { err } = await waybill(place, [...words, '--server', url], named)
      assert.ok(err.startsWith(`on ${url}\n`), err)
    }
  })

  test('takes no newest run for another one: of this machine or of the server', async (t) => {
    const { server, token } = await serveFake(t)
    const url = await server.listen({ host: '127.0.0.1', port: 0 })
    const place = new Place(t)
    await waybill(place, ['login', url], { stdin: token })
    await waybill(place, ['run', 'agent.json', '--local', '--rehearse', '--input', 'x'])
    await waybill(place, ['run', 'agent.json', 'x', '--detach'])
    const error = async (to: string) =>
      JSON.parse((await waybill(place, ['migrate', 'last', '--to', to, '--json'])).out).error
    assert.match(
      (await error('https://b.example')).message,
      /newest run of this machine is .* and that of http/,
    )
    // A platform sends no run to itself, so the run is that of this machine.
    assert.equal((await error(url)).code, 'TLS_REQUIRED')
  })

  test('that does not answer says how to work on this machine, and how to forget the server', async (t) => {
    const place = new Place(t)
    const said = await waybill(place, ['runs', 'list', '--server', 'http://127.0.0.1:1', '--json'], {
      env: { WAYBILL_TOKEN: 'wbt_0123456789' },
    })
    const { error } = JSON.parse(said.out)
    assert.equal(error.code, 'SERVER_UNREACHABLE')
    assert.match(error.hint, /--local/)
    assert.match(error.hint, /waybill logout/)
  })
})
