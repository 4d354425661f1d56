import { isObject, type Json, type JsonObject } from '../../document/json.ts'
import { textAt } from '../../spec/loose-members.ts'
import { type MemberRule, narrows, quoted, widens } from './definition-change.ts'
import { texts } from './list-rules.ts'
import { address, whole } from './scalar-rules.ts'

/** Returns how a tool is reached; a tool with an endpoint and without a protocol cannot be called. */
function protocolOf(tool: JsonObject): string {
  return textAt(tool, 'protocol') ?? (tool.endpoint === undefined ? 'function' : 'undetermined')
}

export const protocol: MemberRule = whole(true, (_before, _after, { owners }) => {
  const [was, is] = [protocolOf(owners.before), protocolOf(owners.after)]
  if (was === is) return null
  if (is === 'undetermined') return narrows('is removed: the tool cannot be called')
  return was === 'undetermined'
    ? widens(`is added: the tool can be called, as ${quoted(is)}`)
    : widens(`is another way to reach the tool: was ${quoted(was)}, is ${quoted(is)}`)
})

/** Without protocol and endpoint a tool is a function, which may be called. */
export const endpoint: MemberRule = {
  grants: true,
  compare: (pair) => {
    const { before, after } = pair.owners
    const becomesFunction = protocolOf(before) === 'undetermined' && protocolOf(after) === 'function'
    return address
      .compare(pair)
      .map((one) =>
        becomesFunction && one.kind === 'removed'
          ? { ...one, effect: 'widens', reason: `${pair.name} is removed: the tool is now a function` }
          : one,
      )
  },
}

export const authType: MemberRule = whole(true, (before, after) => {
  const change = `was ${quoted(before)}, is ${quoted(after)}`
  return after === 'none' ? narrows(change) : widens(`is another way to authenticate: ${change}`)
})

/** A secret of a vault is used instead of the variable. */
export const vaultRef: MemberRule = {
  grants: true,
  compare: (pair) =>
    isObject(pair.before) && isObject(pair.after)
      ? pair.compareMembers('VaultRef', pair)
      : wholeVaultRef.compare(pair),
}

const wholeVaultRef = whole(true, (before, _after, { owners }) => {
  if (before === undefined) return widens('is added: one more secret')
  const { env_var } = owners.after
  return env_var === undefined
    ? narrows('is removed: one secret less')
    : widens(`is removed: the variable ${quoted(env_var)} is used instead`)
})

/** Without scopes the server decides about them. */
export const scopes: MemberRule = {
  grants: true,
  compare: (pair) =>
    isEmpty(pair.before) === isEmpty(pair.after) ? listed.compare(pair) : listedOrNot.compare(pair),
}

const listed = texts('scope')
const listedOrNot = whole(true, (before, after) =>
  widens(`was ${quoted(before)}, is ${quoted(after)}: without scopes the server decides about them`),
)

function isEmpty(list: Json | undefined): boolean {
  return !Array.isArray(list) || list.length === 0
}
