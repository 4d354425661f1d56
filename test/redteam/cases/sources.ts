import assert from 'node:assert/strict'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import type { Json, JsonObject } from '../../../src/document/json.ts'
import { type Attack, type Category, type Control, numbered } from '../attack.ts'
import {
  command,
  definition,
  type Listener,
  listen,
  ModelServer,
  type Outcome,
  runAgent,
  shared,
  stage,
} from '../world.ts'

const models = shared(() => new ModelServer())

const HELPER_ID = '5b0f6a0e-92a4-4f8a-9d57-3c1f6e2b8a55'
const HELPER = definition({ name: 'Helper', goal: 'Help.', tools: [] }, { agent_id: HELPER_ID })

function withSubagent(ref: string): JsonObject {
  return {
    tools: [],
    orchestration: { role: 'orchestrator', subagents: [{ ref, alias: 'h' }], pipeline: ['h'] },
  }
}

/** A server that has the same unsigned definition at every path but those of `redirects`. */
function vendor(t: TestContext, redirects: Readonly<Record<string, string>> = {}, body: Json = HELPER) {
  return listen(t, ({ path }) => {
    const location = redirects[path]
    return location === undefined ? { body } : { status: 302, headers: { location } }
  })
}

/** Runs an agent with a sub-agent at this address, where a signature is required below `/signed`. */
async function runWith(t: TestContext, server: Listener, ref: string): Promise<Outcome & { asked: number }> {
  const { port } = server
  const config = { signatures: { default: 'ignore', sources: { [`${server.url}/signed`]: 'require' } } }
  const place = stage(t, { agent: withSubagent(ref), files: { 'config.yaml': config } })
  const model = await models()
  model.reset()
  const hosts = ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]'].flatMap((host) => [
    '--allow-host',
    `${host}:${port}`,
  ])
  const outcome = await runAgent(place, model, '--config', 'config.yaml', ...hosts)
  return { ...outcome, asked: model.asked.length }
}

function assertRefused({ code, out, asked }: Outcome & { asked: number }): void {
  assert.match(out, /a signature is required/)
  assert.deepEqual([code, asked], [1, 0], out)
}

/** Addresses of the same document, by what is unusual in them. */
const SPELLINGS: Readonly<Record<string, (port: number) => string>> = {
  'the scheme in capitals': (port) => `HTTP://127.0.0.1:${port}/signed/a.json`,
  'a short address': (port) => `http://127.1:${port}/signed/a.json`,
  'a decimal address': (port) => `http://2130706433:${port}/signed/a.json`,
  'an octal address': (port) => `http://0177.0.0.1:${port}/signed/a.json`,
  'a hexadecimal address': (port) => `http://0x7f000001:${port}/signed/a.json`,
  'the address in wide digits': (port) => `http://１２７.0.0.1:${port}/signed/a.json`,
  'the name of the machine': (port) => `http://localhost:${port}/signed/a.json`,
  'the address within IPv6': (port) => `http://[::ffff:127.0.0.1]:${port}/signed/a.json`,
  'a dot after the address': (port) => `http://127.0.0.1.:${port}/signed/a.json`,
  'the parent of another folder': (port) => `http://127.0.0.1:${port}/open/../signed/a.json`,
  'the parent of another folder, escaped': (port) => `http://127.0.0.1:${port}/open/%2e%2E/signed/a.json`,
  'the parent of another folder, with an escaped slash': (port) =>
    `http://127.0.0.1:${port}/open/..%2fsigned/a.json`,
  backslashes: (port) => `http://127.0.0.1:${port}\\signed\\a.json`,
  'two slashes': (port) => `http://127.0.0.1:${port}//signed//a.json`,
  'an escaped letter': (port) => `http://127.0.0.1:${port}/%73igned/a.json`,
  'a letter that is escaped twice': (port) => `http://127.0.0.1:${port}/%2573igned/a.json`,
  capitals: (port) => `http://127.0.0.1:${port}/SIGNED/a.json`,
  'a parameter of the folder': (port) => `http://127.0.0.1:${port}/signed;v=1/a.json`,
  'a space after the folder': (port) => `http://127.0.0.1:${port}/signed%20/a.json`,
  'a wide space after the folder': (port) => `http://127.0.0.1:${port}/signed%e3%80%80/a.json`,
  'an invisible character': (port) => `http://127.0.0.1:${port}/sig%e2%80%8bned/a.json`,
  'a plus sign for a space': (port) => `http://127.0.0.1:${port}/signed+/a.json`,
  'an escaped question mark': (port) => `http://127.0.0.1:${port}/signed%3f/a.json`,
  'an escaped question mark and the parent of that folder': (port) =>
    `http://127.0.0.1:${port}/open%3f/..%2fsigned/a.json`,
  'an escaped number sign': (port) => `http://127.0.0.1:${port}/signed%23/a.json`,
  'a query': (port) => `http://127.0.0.1:${port}/signed/a.json?v=1#x`,
}

const spelled = Object.entries(SPELLINGS).map(
  ([by, refOf]): Omit<Attack, 'id'> => ({
    attack: 'names an unsigned sub-agent of a source that must sign',
    by: `its URL, written with ${by}`,
    holds: 'the run is refused, and no model is asked',
    try: async (t) => {
      const server = await vendor(t)
      assertRefused(await runWith(t, server, refOf(server.port)))
    },
  }),
)

const REDIRECTS: Readonly<Record<string, { from: string; redirects: Readonly<Record<string, string>> }>> = {
  'a redirect from another folder': { from: '/open/a.json', redirects: { '/open/a.json': '/signed/a.json' } },
  'a redirect to another folder': { from: '/signed/a.json', redirects: { '/signed/a.json': '/open/a.json' } },
  'two redirects': {
    from: '/open/a.json',
    redirects: { '/open/a.json': '/open/b.json', '/open/b.json': '/x/../%73igned/a.json' },
  },
}

const redirected = Object.entries(REDIRECTS).map(
  ([by, { from, redirects }]): Omit<Attack, 'id'> => ({
    attack: 'names an unsigned sub-agent of a source that must sign',
    by,
    holds: 'the run is refused, and no model is asked',
    try: async (t) => {
      const server = await vendor(t, redirects)
      assertRefused(await runWith(t, server, `${server.url}${from}`))
    },
  }),
)

/** Ways to a definition in the folder `agents/vendor`, each with the reference that names it. */
const LOCAL: Readonly<Record<string, { ref: string; link?: string }>> = {
  'its agent_id': { ref: HELPER_ID },
  'its name': { ref: 'Helper' },
  'its file name': { ref: 'helper' },
  'its path': { ref: 'vendor/helper.json' },
  'its path, with a detour': { ref: './vendor/../vendor/./helper' },
  'a link to it, by the path': { ref: './link.json', link: 'link.json' },
  'a link to it, by the file name': { ref: 'link', link: 'link.json' },
}

async function runLocal(t: TestContext, from: string, { ref, link }: { ref: string; link?: string }) {
  const place = stage(t, {
    agent: withSubagent(ref),
    files: { 'config.yaml': { signatures: { default: 'ignore', sources: { [from]: 'require' } } } },
  })
  const file = join(place.folder, 'agents', 'vendor', 'helper.json')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify(HELPER))
  if (link !== undefined) symlinkSync('vendor/helper.json', join(place.folder, 'agents', link))
  const model = await models()
  model.reset()
  const outcome = await runAgent(place, model, '--config', 'config.yaml', '--agents', 'agents')
  return { ...outcome, asked: model.asked.length }
}

const local = Object.entries(LOCAL).map(
  ([by, way]): Omit<Attack, 'id'> => ({
    attack: 'makes an unsigned file of a folder that must sign its sub-agent',
    by,
    holds: 'the run is refused, and no model is asked',
    try: async (t) => assertRefused(await runLocal(t, 'agents/vendor', way)),
  }),
)

const attacks: readonly Omit<Attack, 'id'>[] = [
  ...spelled,
  ...redirected,
  ...local,
  {
    attack: 'names an unsigned sub-agent of a source that must sign',
    by: 'a sub-agent of another source, below which it is',
    holds: 'the run is refused, and no model is asked',
    try: async (t) => {
      const server = await listen(t, ({ path }) => ({
        body: path.startsWith('/open') ? definition(withSubagent(`${server.url}/signed/a.json`)) : HELPER,
      }))
      assertRefused(await runWith(t, server, `${server.url}/open/a.json`))
    },
  },
  {
    attack: 'starts an unsigned file of a folder that must sign',
    by: 'a link to the file, a link to the folder, and a detour',
    holds: 'the run is refused, and no model is asked',
    try: async (t) => {
      const config = { signatures: { default: 'ignore', sources: { vendor: 'require' } } }
      const place = stage(t, { files: { 'config.yaml': config } })
      mkdirSync(join(place.folder, 'vendor'))
      writeFileSync(join(place.folder, 'vendor', 'helper.json'), JSON.stringify(HELPER))
      symlinkSync('vendor/helper.json', join(place.folder, 'link.json'))
      symlinkSync('vendor', join(place.folder, 'folder'))
      const model = await models()
      for (const file of [
        'vendor/helper.json',
        'link.json',
        'folder/helper.json',
        'vendor/../vendor/helper.json',
      ]) {
        model.reset()
        const argv = ['run', file, '--config', 'config.yaml', '--input', 'Go', ...model.flags]
        const { code, value } = await command(place, argv)
        assert.deepEqual([code, value.error?.code, model.asked.length], [1, 'SIGNATURE_REFUSED', 0], file)
      }
    },
  },
]

const controls: readonly Control[] = [
  {
    passes: 'the same sub-agent of another folder of the server runs without a signature',
    try: async (t) => {
      const server = await vendor(t, { '/moved/a.json': '/open/a.json' })
      for (const path of ['/open/a.json', '/signed-not/a.json', '/moved/a.json', '/open/signed/a.json']) {
        const { code, out, asked } = await runWith(t, server, `${server.url}${path}`)
        assert.deepEqual([code, asked], [0, 1], `${path}: ${out}`)
      }
    },
  },
  {
    passes: 'a sub-agent in a folder beside the one that must sign runs without a signature',
    try: async (t) => {
      for (const { ref } of Object.values(LOCAL).filter(({ link }) => link === undefined)) {
        const { code, out } = await runLocal(t, 'agents/other', { ref })
        assert.equal(code, 0, out)
      }
    },
  },
]

export const sources: Category = {
  name: 'Leaving out a required signature',
  enforced: 'the policy of the source, in all spellings of its path or URL',
  file: 'test/redteam/sources.test.ts',
  attacks: numbered('source', attacks),
  controls,
}
