import { parse, resolve } from 'node:path'
import type { McpTools } from '../adapters/mcp/mcp-tools.ts'
import { defined } from '../document/defined.ts'
import { assertRegularFile } from '../document/read-file.ts'
import { type LocatedInside, locateInside, readInside } from '../document/read-inside.ts'
import { whyUnreadable } from '../document/why-unreadable.ts'
import { connectionFingerprint } from '../plan/granted-uses.ts'
import type { OperatorSettings } from '../plan/operator-settings.ts'
import { authOf } from '../plan/plan-tools.ts'
import { grantsForUse, hostsForUse } from '../policy/call-fingerprint.ts'
import type { Discover } from '../resolve/resolve-definition.ts'
import type { ToolProtocol } from '../run/extension.ts'
import { toolServices } from './extensions.ts'
import type { Parts } from './parts.ts'

export function discoverMcp(open: () => Promise<McpTools>): Discover {
  return async (tool, signal) => {
    const auth = authOf(tool)
    if (auth === 'unsupported') {
      return {
        found: false,
        reason: `credentials of auth.type ${tool.auth?.type} or from a vault are not supported`,
        rule: 'AAIF-4.4-09',
      }
    }
    const { name, endpoint } = tool
    return (await open()).discover({ name, endpoint, ...(auth !== null && { auth }) }, signal)
  }
}

/** Discovers openapi tools. Loads the module only if there is such a tool. */
export function discoverOpenApi(
  folder: string | undefined,
  fetch: typeof globalThis.fetch | undefined,
  { grants }: OperatorSettings,
): Discover {
  return async (tool, signal) => {
    const { discoverOperations } = await import('../adapters/openapi/discover-operations.ts')
    const options = {
      grants,
      readFile: (path: string) => readInside(folder, path, LARGEST_DOCUMENT_BYTES),
      absolute: (path: string) => resolve(folder ?? '.', path),
      ...defined({ fetch }),
    }
    return discoverOperations(tool, options, signal)
  }
}

/** Discovers tools of extension protocols. Their files must be in the folder of the definition, their hosts granted. */
export function discoverAdded(
  folder: string | undefined,
  parts: Parts,
  settings: OperatorSettings,
): Readonly<Record<string, Discover>> {
  const protocols = Object.assign({}, ...(parts.extensions ?? []).map(({ toolProtocols }) => toolProtocols))
  return Object.fromEntries(
    Object.entries(protocols as Readonly<Record<string, ToolProtocol>>).map(([word, protocol]) => [
      word,
      async (tool) => {
        const { name, description, endpoint } = tool
        const missed = (reason: string, rule: string) => ({ found: false, reason, rule }) as const
        const file =
          protocol.reach === 'file' && endpoint !== undefined
            ? locateRegular(folder, endpoint.replace(/^file:(?!\/\/)/, ''))
            : undefined
        if (file?.ok === false) return missed(`${endpoint} cannot be used: ${file.reason}`, 'AAIF-12-05')
        const auth = authOf(tool)
        const { discoverOffers } = await import('../adapters/extensions/discover-offers.ts')
        const declared = {
          name,
          description,
          ...defined({ endpoint }),
          ...(auth !== null && auth !== 'unsupported' && { auth }),
          ...(file !== undefined && { file: file.file }),
        }
        const use = connectionFingerprint(tool)
        const granted = {
          ...settings,
          grants: hostsForUse(settings.grants, use),
          secret_grants: grantsForUse(settings.secret_grants, use),
        }
        return discoverOffers(declared, protocol, await toolServices(parts, unbound(granted)))
      },
    ]),
  )
}

/** The grants were selected for one connection, so they apply to all that it does. */
function unbound(settings: OperatorSettings): OperatorSettings {
  const { grants, secret_grants } = settings
  const free = <T extends { readonly uses?: readonly string[] }>({ uses: _selected, ...grant }: T) => grant
  return {
    ...settings,
    grants: { ...grants, hosts: grants.hosts.map(free) },
    secret_grants: secret_grants.map(free),
  }
}

function locateRegular(folder: string | undefined, path: string): LocatedInside {
  const located = locateInside(folder, path)
  if (!located.ok) return located
  try {
    assertRegularFile(located.file)
    return located
  } catch (error) {
    return { ok: false, reason: whyUnreadable(error) }
  }
}

/** Limit in bytes: public OpenAPI documents with more than a thousand operations reach 12 MiB. */
const LARGEST_DOCUMENT_BYTES = 32 * 1024 * 1024

/** Reads the planned file, and checks its planned hash, so that a resumed run uses the same text. */
export function readPlannedDocument(path: string) {
  return readInside(parse(path).root, path, LARGEST_DOCUMENT_BYTES, { hidden: true })
}
