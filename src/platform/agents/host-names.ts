import type { UnplacedIssue } from '../../document/issue.ts'
import type { AgentDefinition } from '../../spec/aaif/generated/agent.ts'

/** What a member may not name, and what to do instead. */
interface Named {
  readonly what: string
  readonly hint: string
}

const FILE: Named = {
  what: 'a file of the machine of the platform',
  hint: 'write the text into the definition, or give an https URL of a host that the operator allows',
}
const API: Named = { what: FILE.what, hint: 'give an https URL of a host that the operator allows' }
const COMMAND: Named = {
  what: 'a program of the machine of the platform',
  hint: 'ask the operator to configure the server in `mcp_servers`, and write mcp://SERVER/TOOL',
}
const MODULE: Named = {
  what: 'a module of the machine of the platform',
  hint: 'the operator installs function modules; write only the name of the function',
}
const AGENT: Named = {
  what: FILE.what,
  hint: 'upload the sub-agent, and refer to it by its agent_id or its name',
}

/**
 * Returns each member of a definition that names a program, a module or a file of the machine of the platform. Names of
 * what the operator has configured are not such names: `mcp://SERVER/TOOL`, `stdio:SERVER`, functions, hooks, secrets.
 */
export function hostNamesIn({ agent }: AgentDefinition): readonly UnplacedIssue[] {
  const found: UnplacedIssue[] = []
  const check = (
    pointer: string,
    value: string | undefined,
    isNamed: (text: string) => boolean,
    named: Named,
  ) => {
    if (value === undefined || !isNamed(value.trim())) return
    const message = `a definition on a platform cannot name ${named.what}`
    const { hint } = named
    found.push({ severity: 'error', code: 'HOST_NAME_REFUSED', pointer, message, hint, rule: 'AAIF-12-02' })
  }
  agent.context?.forEach(({ type, value }, at) => {
    const pointer = `/agent/context/${at}/value`
    if (type === 'file' || type === 'schema_ref') check(pointer, value, (text) => !isWeb(text), FILE)
    else if (type === 'url') check(pointer, value, isFileUrl, FILE)
  })
  agent.tools?.forEach(({ protocol, endpoint }, at) => {
    const pointer = `/agent/tools/${at}/endpoint`
    if (protocol === 'function') check(pointer, endpoint, isPath, MODULE)
    else if (protocol === 'mcp') check(pointer, endpoint, (text) => isCommand(text) || isPath(text), COMMAND)
    else check(pointer, endpoint, (text) => isCommand(text) || isPath(text), API)
  })
  for (const event of ['on_start', 'on_complete', 'on_error', 'on_tool_call'] as const)
    check(
      `/agent/events/${event}`,
      agent.events?.[event],
      (text) => isPath(text) || /[/\\]/.test(text),
      MODULE,
    )
  agent.orchestration?.subagents?.forEach(({ ref }, at) => {
    check(`/agent/orchestration/subagents/${at}/ref`, ref, isPath, AGENT)
  })
  check('/agent/model/base_url', agent.model?.base_url, isFileUrl, API)
  check('/agent/telemetry/otlp_endpoint', agent.telemetry?.otlp_endpoint, isFileUrl, API)
  return found
}

function isWeb(text: string): boolean {
  return /^https?:/i.test(text)
}

function isFileUrl(text: string): boolean {
  return /^file:/i.test(text)
}

/** `file:` URLs, `/x`, `./x`, `../x`, `~/x`, `C:\x`, and names of files of definitions and modules. */
function isPath(text: string): boolean {
  if (isFileUrl(text) || /^(?:\.{0,2}[/\\]|~|[a-z]:[/\\])/i.test(text)) return true
  return !/^[a-z][a-z0-9+.-]*:/i.test(text) && /\.(?:[cm]?[jt]s|ya?ml|json|cbor)$/i.test(text)
}

/** Returns whether a text is a command line after `stdio:`, and not the name of a server: `stdio:NAME`, `stdio://NAME/TOOL`. */
function isCommand(text: string): boolean {
  return /^stdio:/i.test(text) && !/^stdio:(?:\/\/)?[\w.-]+(?:\/[\w.-]+)?$/i.test(text)
}
