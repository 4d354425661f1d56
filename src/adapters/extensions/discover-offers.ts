import { defined } from '../../document/defined.ts'
import type { JsonObject } from '../../document/json.ts'
import { messageOf } from '../../document/message-of.ts'
import type { DiscoveredTool, Discovery } from '../../plan/snapshot.ts'
import type { DeclaredTool, OfferedTool, ToolProtocol, ToolServices } from '../../run/extension.ts'
import { GateRefusal } from '../net/gate-refusal.ts'
import { shorten } from '../net/shorten.ts'
import { untilAborted } from '../net/until-aborted.ts'
import { toJsonData } from '../tools/json-data.ts'

const DISCOVER_MS = 30_000

/** Discovers the tools that an extension offers for a declared tool. Never throws: errors are part of the result. */
export async function discoverOffers(
  tool: DeclaredTool,
  protocol: ToolProtocol,
  services: ToolServices,
): Promise<Discovery> {
  const { file } = tool
  if (protocol.discover === undefined)
    return { found: true, tools: [], as_declared: file === undefined ? {} : { file } }
  try {
    const limit = AbortSignal.timeout(DISCOVER_MS)
    const offers = await untilAborted(protocol.discover(tool, services), limit)
    if (offers.length === 0) return missed('it offers no tools')
    return { found: true, tools: offers.map((offer) => readOffer(offer, file)) }
  } catch (error) {
    if (error instanceof GateRefusal) return missed(`${error.reason}; ${error.hint}`, 'AAIF-12-02')
    return missed(shorten(messageOf(error)))
  }
}

/** Returns a copy as plain data for the plan, because the extension may change its own object later. */
function readOffer(offer: OfferedTool, file: string | undefined): DiscoveredTool {
  const { name, description, parameters_schema, output_schema, read_only, idempotent, url, signs_in, note } =
    toJsonData(offer) as unknown as OfferedTool
  if (typeof name !== 'string' || name === '' || typeof description !== 'string')
    throw new Error('it offers a tool without a name or a description')
  if (typeof parameters_schema !== 'object' || parameters_schema === null)
    throw new Error(`it offers ${name} without parameters_schema`)
  return {
    name,
    description,
    parameters_schema,
    ...defined({ output_schema }),
    // These two affect safety: every value except true counts as false.
    read_only: read_only === true,
    idempotent: idempotent === true,
    ...(typeof url === 'string' && { url }),
    ...(signs_in === false && { signs_in }),
    ...(typeof note === 'string' && { note }),
    binding: { ...(toJsonData(offer.binding ?? {}) as JsonObject), ...defined({ file }) },
  }
}

function missed(reason: string, rule = 'AAIF-4.4-01'): Discovery {
  return { found: false, reason, rule }
}
