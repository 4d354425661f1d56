import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { noCertificates, ownAuthority } from '../adapters/tls-front.ts'
import { serveFake } from '../server/served.ts'
import { Place, waybill } from './fixture.ts'
import { commandsWithServer, REMOTE_COMMANDS, REMOTE_FILES } from './remote-commands.ts'

/** A server with a certificate of a private authority, and a user who may believe the authority. */
async function scene(t: TestContext, names = 'DNS:localhost,IP:127.0.0.1') {
  const authority = ownAuthority(t)
  const { server, token } = await serveFake(t, { tls: authority.certify(names) })
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  const place = new Place(t)
  await waybill(place, ['keys', 'new', 'mine'])
  return {
    url,
    named: url.replace('127.0.0.1', 'localhost'),
    token,
    place,
    believe: (file = 'home/config.yaml') => place.write(file, `ca_files: [${authority.file}]\n`),
  }
}

test('the table has every command with --server', async () => {
  assert.deepEqual((await commandsWithServer()).toSorted(), Object.keys(REMOTE_COMMANDS).toSorted())
})

/** Commands that reach a server which they name in another way than with `--server`. */
const OTHERS: readonly (readonly string[])[] = [
  ['login', 'URL'],
  ['peers', 'add', 'x', '--url', 'URL', '--same-users', '--server', 'URL'],
  ['keys', 'trust', 'there', 'URL'],
  ['migrate', '01', '--from', 'URL'],
  ['migrate', 'last', '--to', 'URL', '--local'],
]
const EVERY = [
  ...Object.entries(REMOTE_COMMANDS).map(([path, words]) => [
    ...path.split(' '),
    ...words,
    '--server',
    'URL',
  ]),
  ...OTHERS,
]

const NETWORK = /unable to verify|ENDPOINT_|SERVER_UNREACHABLE|PUBLISHED_UNREACHABLE|fetch failed/

describe('the authority of a company (ca_files)', { skip: noCertificates }, () => {
  test('each command that reaches a server believes it, and says which setting is missing without it', async (t) => {
    const { url, token, place, believe } = await scene(t)
    const say = (argv: readonly string[]) =>
      waybill(
        place,
        argv.map((word) => (word === 'URL' ? url : word)),
        {
          env: { WAYBILL_TOKEN: token },
          stdin: argv[0] === 'chat' ? 'hello' : token,
        },
      )
    for (const [name, text] of Object.entries(REMOTE_FILES)) place.write(name, text)
    // The run of this machine that `migrate` sends.
    await waybill(place, ['run', 'agent.json', '--rehearse', 'x'])
    for (const argv of EVERY) {
      place.write('home/config.yaml', '')
      const refused = await say(argv)
      assert.match(
        refused.err,
        /ENDPOINT_CERTIFICATE_REFUSED.*\n +hint .*ca_files/,
        `${argv.join(' ')}: ${refused.out}`,
      )
      assert.doesNotMatch(refused.err, /use-system-ca/)
      believe()
      const said = await say(argv)
      assert.doesNotMatch(said.out + said.err, NETWORK, argv.join(' '))
    }
  })

  test('the file of --config replaces that of the home', async (t) => {
    const { url, token, place, believe } = await scene(t)
    place.write('none.yaml', '')
    believe('office.yaml')
    const list = (config: string) =>
      waybill(place, ['token', 'list', '--server', url, '--config', config, '--json'], {
        env: { WAYBILL_TOKEN: token },
      })
    assert.match((await list('none.yaml')).out, /ENDPOINT_CERTIFICATE_REFUSED/)
    assert.equal((await list('office.yaml')).code, 0)
  })

  test('a certificate for another name is refused with its own text, also if the authority is believed', async (t) => {
    const { url, named, token, place, believe } = await scene(t, 'DNS:localhost')
    believe()
    const login = (to: string) => waybill(place, ['login', to, '--json'], { stdin: token })
    const { error } = JSON.parse((await login(url)).out)
    assert.equal(error.code, 'ENDPOINT_CERTIFICATE_REFUSED')
    assert.match(error.message, /another name/)
    assert.equal((await login(named)).code, 0)
  })
})

describe('a host that the user typed', { skip: noCertificates }, () => {
  test('needs no further permission, also at a private address', async (t) => {
    const { named, url, token, place, believe } = await scene(t)
    believe()
    for (const at of [url, named]) {
      const said = await waybill(place, ['keys', 'trust', 'there', at, '--json'])
      assert.doesNotMatch(said.out + said.err, /private or loopback/)
      const login = await waybill(place, ['login', at, '--json'], { stdin: token })
      assert.equal(login.code, 0, login.out)
    }
  })

  test('permits no other host: a redirect to one is refused before a request', async (t) => {
    const { createServer } = await import('node:http')
    const asked: string[] = []
    const listen = async (answer: (port: number) => string) => {
      const server = createServer((request, response) => {
        asked.push(`${request.headers.host}`)
        response.writeHead(302, { location: answer(0) }).end()
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      t.after(() => server.close())
      return `http://127.0.0.1:${(server.address() as { port: number }).port}`
    }
    const inside = await listen(() => '/')
    const outside = await listen(() => `${inside}/.well-known/jwks.json`)
    const place = new Place(t)
    const said = await waybill(place, ['keys', 'trust', 'there', outside, '--json'])
    assert.equal(JSON.parse(said.out).error.code, 'PUBLISHED_UNREACHABLE')
    assert.deepEqual(asked, [new URL(outside).host])
  })
})
