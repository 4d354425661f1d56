import type { DescribedModule } from '../adapters/functions/function-messages.ts'
import type { FunctionModule } from '../adapters/functions/function-process.ts'
import type { KeptFolders } from '../adapters/functions/readable-paths.ts'
import type { ToolModule } from '../adapters/tools/tool-module.ts'
import { WaybillError } from '../document/issue.ts'
import { ownMember } from '../document/own-member.ts'
import { variableValue } from '../document/variable-value.ts'
import { HOOKS } from '../plan/plan-hooks.ts'
import { DEFAULT_ORGANISATION } from '../platform/people/first-admin.ts'
import { createRedactor } from '../secret/redact.ts'
import type { Config, ConfigFunctions } from '../settings/config-schema.ts'
import type { AgentDefinition } from '../spec/aaif/generated/agent.ts'
import { boundedLog } from './bounded-log.ts'
import type { Env } from './parts.ts'

/** The functions that the operator of a platform has installed. */
export interface OrganisationFunctions {
  /** Returns the functions that an organisation may use. */
  of(org: string): Promise<ToolModule>
  /** @throws FUNCTION_NOT_ALLOWED if a definition names a function that is installed, but not for its organisation */
  assertAllowed(org: string, definition: AgentDefinition): Promise<void>
  /** Ends all processes of modules. */
  close(): Promise<void>
}

export interface FunctionSettings {
  readonly config: Pick<Config, 'functions'>
  /** The module of `--tools`: for the organisation `default`, with all rights to files. */
  readonly tools?: string | undefined
  readonly env: Env
  /** Folders of the installation, which no module may read. */
  readonly kept: KeptFolders
  readonly log: (level: 'info' | 'warn', message: string) => void
}

/** Variables of this machine that every module gets. */
const PLAIN: readonly string[] = ['PATH', 'TZ', 'LANG']

interface Installed {
  readonly module: FunctionModule
  readonly organisations: 'all' | readonly string[]
}

/**
 * Opens the modules of functions of a platform. Each is loaded once, in a process that is then ended, to learn its
 * functions.
 * @throws TOOLS_MODULE_UNREADABLE, TOOLS_MODULE_INVALID; FUNCTIONS_AMBIGUOUS
 */
export async function openFunctions(options: FunctionSettings): Promise<OrganisationFunctions | undefined> {
  const installed = installedIn(options)
  if (installed.length === 0) return undefined
  const { FunctionProcesses } = await import('../adapters/functions/function-processes.ts')
  const redactors = new Map(
    installed.map(({ module }) => [
      module.name,
      createRedactor(new Map(Object.entries(module.env).filter(([name]) => !PLAIN.includes(name)))),
    ]),
  )
  const write = boundedLog(options.log)
  const processes = new FunctionProcesses({
    onLine: ({ name }, org, stream, line) => {
      // What a module prints when it is loaded would be printed twice.
      if (org === null && stream === 'stdout') return
      const place = org === null ? name : `${name} for ${org}`
      write(place, stream === 'stderr' ? 'warn' : 'info', redactors.get(name)?.text(line) ?? line)
    },
  })
  const described = (): Promise<readonly DescribedModule[]> =>
    Promise.all(installed.map(({ module }) => processes.describe(module)))
  try {
    assertUnambiguous(installed, await described())
  } catch (error) {
    await processes.close()
    throw error
  }
  return {
    async of(org) {
      const modules = await Promise.all(
        installed.filter((one) => isAllowed(one, org)).map(({ module }) => processes.moduleOf(module, org)),
      )
      return {
        tools: new Map(modules.flatMap(({ tools }) => [...tools])),
        hooks: new Map(modules.flatMap(({ hooks }) => [...hooks])),
      }
    },
    async assertAllowed(org, definition) {
      const places = placesIn(definition)
      if (places.length === 0) return
      const all = await described()
      const namesOf = (allowed: boolean) =>
        new Set(
          all.flatMap((one, index) => (isAllowedAt(installed, index, org) === allowed ? namesIn(one) : [])),
        )
      const own = namesOf(true)
      const others = namesOf(false)
      for (const { name, kind, pointer } of places) {
        const key = `${kind} ${name}`
        if (others.has(key) && !own.has(key)) throw notAllowed(kind, name, pointer)
      }
    },
    close: () => processes.close(),
  }
}

type Kind = 'function' | 'hook'

function namesIn({ tools, hooks }: DescribedModule): readonly string[] {
  return [...tools.map(({ name }) => `function ${name}`), ...hooks.map((name) => `hook ${name}`)]
}

function isAllowed({ organisations }: Installed, org: string): boolean {
  return organisations === 'all' || organisations.includes(org)
}

function isAllowedAt(installed: readonly Installed[], index: number, org: string): boolean {
  const one = installed[index]
  return one !== undefined && isAllowed(one, org)
}

/** Returns the functions and hooks that a definition names, with their pointers. */
function placesIn({ agent }: AgentDefinition) {
  const tools = (agent.tools ?? []).flatMap(({ name, protocol, endpoint }, index) =>
    protocol === 'function' || (protocol === undefined && endpoint === undefined)
      ? [{ kind: 'function' as Kind, name, pointer: `/agent/tools/${index}/name` }]
      : [],
  )
  const hooks = HOOKS.flatMap((hook) => {
    const name = agent.events?.[hook]
    return name === undefined ? [] : [{ kind: 'hook' as Kind, name, pointer: `/agent/events/${hook}` }]
  })
  return [...tools, ...hooks]
}

function notAllowed(kind: Kind, name: string, at: string): WaybillError {
  const issue = {
    severity: 'error',
    code: 'FUNCTION_NOT_ALLOWED',
    pointer: at,
    message: `the ${kind} ${name} is not installed for this organisation`,
    rule: 'AAIF-4.4-02',
    hint: 'ask the operator to add the organisation to `functions` in the configuration, or remove it from the definition',
  } as const
  const { message, rule, hint } = issue
  return new WaybillError('FUNCTION_NOT_ALLOWED', { message, at, rule, hint, issues: [issue] })
}

/** A function of two modules would act in one organisation for the other module. */
function assertUnambiguous(installed: readonly Installed[], described: readonly DescribedModule[]): void {
  for (const [index, one] of installed.entries()) {
    for (const [later, other] of installed.slice(index + 1).entries()) {
      if (!isShared(one, other)) continue
      const names = described[index + 1 + later]
      const own = described[index]
      const both = own && names && namesIn(own).find((name) => namesIn(names).includes(name))
      if (both === undefined) continue
      throw new WaybillError('FUNCTIONS_AMBIGUOUS', {
        fault: 'usage',
        message: `the modules ${one.module.name} and ${other.module.name} both export the ${both}`,
        hint: 'rename one, or list no organisation for both modules (`functions` in the configuration)',
      })
    }
  }
}

function isShared(one: Installed, { organisations }: Installed): boolean {
  if (organisations === 'all') return one.organisations === 'all' || one.organisations.length > 0
  return organisations.some((org) => isAllowed(one, org))
}

function installedIn({ config, tools, env, kept }: FunctionSettings): readonly Installed[] {
  const configured = Object.entries(config.functions ?? {}).map(
    ([name, settings]): Installed => ({
      module: moduleOf(name, settings, env, kept),
      organisations: settings.organisations,
    }),
  )
  if (tools === undefined) return configured
  const given = { name: '--tools', file: tools, env: namedIn(env, PLAIN), kept, unrestricted: true }
  return [...configured, { module: given, organisations: [DEFAULT_ORGANISATION] }]
}

function moduleOf(name: string, settings: ConfigFunctions, env: Env, kept: KeptFolders): FunctionModule {
  const { module: file, env: names = [], read, write, unrestricted, memory_mb } = settings
  return {
    name,
    file,
    env: namedIn(env, [...PLAIN, ...names]),
    kept,
    ...(read !== undefined && { read }),
    ...(write !== undefined && { write }),
    ...(unrestricted !== undefined && { unrestricted }),
    ...(memory_mb !== undefined && { memoryMb: memory_mb }),
  }
}

function namedIn(env: Env, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name): [string, string][] => {
      const text = ownMember(env, name)
      return text === undefined ? [] : [[name, variableValue(text)]]
    }),
  )
}
