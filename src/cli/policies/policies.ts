import { defined } from '../../document/defined.ts'
import type { Inbox } from '../../platform/inbox/approval.ts'
import { listApprovalPolicies, removeApprovalPolicy, setApprovalPolicy } from '../../platform/inbox/routes.ts'
import type { NewPolicy, Notify, PolicyView } from '../../platform/policies/policy.ts'
import type { PageOf } from '../../run/record/records.ts'
import { readAnyDocument } from '../files/read-any-document.ts'
import type { Io } from '../io.ts'
import { type FormatOptions, wantsJson } from '../options/run-options.ts'
import { type OnPlatformOptions, onPlatform } from '../remote/on-platform.ts'
import type { ServerClient } from '../remote/server-client.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'
import { table } from '../terminal/table.ts'

type Policies = Pick<Inbox, 'policies' | 'setPolicy' | 'removePolicy'>

interface PolicyOptions extends OnPlatformOptions, FormatOptions {
  readonly json?: boolean
}

/** Prints the policies in the order in which they are tried (`waybill policies list`). */
export async function listPolicies(options: PolicyOptions, io: Io): Promise<void> {
  const items: PolicyView[] = []
  await withPolicies(options, io, async (policies) => {
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page: PageOf<PolicyView> = await policies.policies(defined({ cursor, limit: 100 }))
      items.push(...page.items)
      cursor = page.next
    }
  })
  if (wantsJson(options)) return io.out(`${jsonText({ items })}\n`)
  if (items.length === 0)
    return io.err('no approval policies: one approver is enough, and no messages are sent\n')
  io.out(
    table(
      items,
      [
        { head: 'name', text: ({ name }) => plainLine(name, 80), tone: () => 'strong' },
        { head: 'order', text: ({ order }) => String(order), drop: 2 },
        { head: 'for', text: (policy) => plainLine(callsOf(policy), 200), drop: 1 },
        { head: 'policy', text: (policy) => plainLine(demandsOf(policy).join(', '), 400) },
      ],
      io,
    ),
  )
}

/** Adds or replaces a policy (`waybill policies set`). */
export async function setPolicy(name: string, file: string, options: PolicyOptions, io: Io): Promise<void> {
  const { value } = await readAnyDocument(file, io)
  // The platform checks it.
  const policy = value as NewPolicy
  const view = await withPolicies(options, io, (policies) => policies.setPolicy(name, policy))
  if (wantsJson(options)) io.out(`${jsonText(view)}\n`)
  else io.err(`set: ${lineOf(view)}\n`)
}

/** Removes a policy (`waybill policies remove`). */
export async function removePolicy(name: string, options: PolicyOptions, io: Io): Promise<void> {
  await withPolicies(options, io, (policies) => policies.removePolicy(name))
  if (wantsJson(options)) io.out(`${jsonText({ name })}\n`)
  else io.err(`removed: ${plainLine(name)}\n`)
}

function callsOf({ match: { tool, agent_id } }: PolicyView): string {
  return `${tool === undefined ? 'all tools' : `tool ${tool}`}${agent_id === undefined ? '' : ` of ${agent_id}`}`
}

function demandsOf(policy: PolicyView): readonly string[] {
  const { notify, approvals_needed, starter_may_decide, escalate, expire } = policy
  return [
    approvals_needed === 1 ? 'one approval' : `${approvals_needed} approvals`,
    ...(starter_may_decide ? [] : ['not by starters']),
    ...(receivers(notify) === '' ? [] : [`notifies ${receivers(notify)}`]),
    ...(escalate === undefined ? [] : [`escalates after ${escalate.after_seconds} s`]),
    ...(expire === undefined
      ? []
      : [`${expire.verdict === 'deny' ? 'denies' : 'expires'} after ${expire.after_seconds} s`]),
  ]
}

function lineOf(policy: PolicyView): string {
  const parts = [policy.name, `order ${policy.order}`, callsOf(policy), ...demandsOf(policy)]
  return parts.map((part) => plainLine(part, 200)).join('  ')
}

function receivers({ mail = [], teams = [], members = [], webhooks = [] }: Notify): string {
  return [
    ...mail,
    ...members,
    ...teams.map((team) => `team ${team}`),
    ...webhooks.map((id) => `webhook ${id}`),
  ].join(', ')
}

function withPolicies<T>(
  options: PolicyOptions,
  io: Io,
  act: (policies: Policies) => Promise<T>,
): Promise<T> {
  return onPlatform(
    options,
    io,
    (server) => act(policiesAt(server)),
    ({ inbox }) => act(inbox),
  )
}

function policiesAt(server: ServerClient): Policies {
  return {
    policies: (query) => server.call(listApprovalPolicies, { params: {}, query }),
    setPolicy: (policy, body) => server.call(setApprovalPolicy, { params: { policy }, body }),
    async removePolicy(policy) {
      await server.call(removeApprovalPolicy, { params: { policy } })
    },
  }
}
