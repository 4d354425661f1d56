import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type JsonObject, WaybillError } from '../document/issue.ts'
import { readDocument } from '../document/read-document.ts'
import { compileUserSchema } from '../document/user-schema.ts'
import { parseCallRule } from '../policy/approval/call-rule.ts'
import {
  calledHow,
  type RuledAgent,
  type RuledTool,
  type StandingRules,
} from '../policy/approval/standing-rules.ts'
import { type HostGrant, parseHostGrant } from '../policy/endpoint-gate.ts'
import type { SecretGrant } from '../policy/secret-grant.ts'
import { takeLockWithin } from '../run/record/process-lock.ts'
import { homeOf, makeHome } from './home.ts'

type Env = Readonly<Record<string, string | undefined>>

/** What a person allowed beforehand (`grants.yaml`): what, for whom, until when. */
export interface Grant {
  /** Such as `g-3f9a1c07`. */
  readonly id: string
  readonly kind: 'host' | 'secret' | 'call'
  /** Of a host `HOST[:PORT]`, of a secret `NAME@HOST`, of a call a rule such as `send_email to=*@ours.example`. */
  readonly what: string
  /** For whom; absent: every agent. A call is always of one. */
  readonly agent_id?: string
  readonly agent_name?: string
  /** Of a call: the definition as it was; absent: whatever this agent becomes. */
  readonly definition_hash?: string
  /** Of a call: where its tool led, so that another tool of the same name is another matter. */
  readonly endpoint?: string
  /** Of a call: how its tool was called there, see {@link calledHow}; the same URL by another method is another matter. */
  readonly called_how?: string
  /** ISO 8601, UTC; absent: until it is revoked. */
  readonly until?: string
  /** How often it may still be used; absent: without limit. */
  readonly uses_left?: number
  readonly by: string
  /** When it was given: ISO 8601, UTC. */
  readonly at: string
  readonly why?: string
}

const text = { type: 'string', minLength: 1 }
const schema: JsonObject = {
  type: 'object',
  additionalProperties: false,
  properties: {
    grants: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['id', 'kind', 'what', 'by', 'at'],
        properties: {
          id: text,
          kind: { enum: ['host', 'secret', 'call'] },
          what: text,
          agent_id: text,
          agent_name: { type: 'string' },
          definition_hash: text,
          endpoint: text,
          called_how: text,
          until: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z$' },
          uses_left: { type: 'integer', minimum: 0 },
          by: text,
          at: text,
          why: { type: 'string' },
        },
        if: { required: ['kind'], properties: { kind: { const: 'call' } } },
        // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
        then: { required: ['agent_id'] },
      },
    },
    // As this file was written before there were grants of other kinds.
    hosts: {
      type: 'array',
      items: {
        type: 'object',
        required: ['host'],
        properties: { host: text, at: { type: 'string' }, for: { type: 'string' } },
      },
    },
  },
}

interface GrantsFile {
  readonly grants?: readonly Grant[]
  readonly hosts?: readonly { readonly host: string; readonly at?: string }[]
}

/**
 * All grants, those that have run out included.
 * @throws GRANTS_INVALID: what cannot be read grants nothing, and is not passed over in silence
 */
export function readGrants(env: Env): readonly Grant[] {
  const path = pathOf(env)
  if (!existsSync(path)) return []
  const bytes = readFileSync(path)
  if (bytes.toString('utf8').trim() === '') return []
  const { document, issues } = readDocument(bytes, { file: path })
  const breach = document === undefined ? (issues[0]?.message ?? 'no document') : check(document.value)
  if (document === undefined || breach !== null) {
    throw new WaybillError('GRANTS_INVALID', {
      fault: 'usage',
      file: path,
      message: `the grants cannot be read, so none is trusted: ${breach}`,
      hint: 'mend the file, or delete it to be asked again',
    })
  }
  const { grants = [], hosts = [] } = document.value as unknown as GrantsFile
  return [
    ...grants,
    ...hosts.map(
      ({ host, at }): Grant => ({
        id: `host:${host}`,
        kind: 'host',
        what: host,
        by: 'unknown',
        at: at ?? 'unknown',
      }),
    ),
  ]
}

let compiled: ((value: never) => string | null) | undefined

function check(value: unknown): string | null {
  compiled ??= compileUserSchema(schema) as (value: never) => string | null
  return compiled(value as never)
}

/** Whether a grant counts now; {@link isFor} says for whom. */
export function isInForce({ until, uses_left }: Grant, now: Date): boolean {
  return (until === undefined || now.getTime() < Date.parse(until)) && uses_left !== 0
}

/** @param agentId absent: nobody in particular, for whom only the grants to everyone count */
export function isFor(grant: Grant, agentId: string | undefined): boolean {
  return grant.agent_id === undefined || grant.agent_id === agentId
}

/** What this file adds to the settings of a run of this agent. Its hosts never reach private addresses. */
export interface RememberedGrants {
  readonly hosts: readonly HostGrant[]
  readonly secrets: readonly SecretGrant[]
}

export function readRemembered(env: Env, agentId: string | undefined): RememberedGrants {
  const now = new Date()
  const grants = readGrants(env).filter((grant) => isInForce(grant, now) && isFor(grant, agentId))
  return {
    hosts: grants.filter(({ kind }) => kind === 'host').map(({ what }) => parseHostGrant(what, 'remembered')),
    secrets: grants.filter(({ kind }) => kind === 'secret').map(({ what }) => parseSecretGrant(what)),
  }
}

/** @throws SECRET_GRANT_INVALID */
export function parseSecretGrant(text: string): SecretGrant {
  const at = text.indexOf('@')
  if (at <= 0 || at === text.length - 1) {
    throw new WaybillError('SECRET_GRANT_INVALID', {
      fault: 'usage',
      message: `"${text}" is no secret grant`,
      hint: 'write NAME@HOST, such as CRM_KEY@api.crm.example',
    })
  }
  return { name: text.slice(0, at), host: text.slice(at + 1) }
}

export function newGrantId(): string {
  return `g-${randomBytes(4).toString('hex')}`
}

/** Adds a grant. One with the same id, of the same kind and words for the same agent, gives way. */
export function addGrant(env: Env, grant: Grant): void {
  change(env, (grants) => [...grants.filter((other) => !isSame(other, grant)), grant])
}

function isSame(a: Grant, b: Grant): boolean {
  return (
    a.id === b.id ||
    (a.kind === b.kind &&
      a.what === b.what &&
      a.agent_id === b.agent_id &&
      a.definition_hash === b.definition_hash)
  )
}

/** Takes grants away; those that are gone already are no error. */
export function removeGrants(env: Env, ids: ReadonlySet<string>): void {
  change(env, (grants) => grants.filter(({ id }) => !ids.has(id)))
}

/**
 * Uses a grant once.
 * @returns whether it was still in force: two processes never share its last use
 */
function spendGrant(env: Env, id: string): boolean {
  let spent = false
  change(env, (grants) =>
    grants.map((grant) => {
      if (grant.id !== id || !isInForce(grant, new Date())) return grant
      spent = true
      return grant.uses_left === undefined ? grant : { ...grant, uses_left: grant.uses_left - 1 }
    }),
  )
  return spent
}

/** The standing rules of this home. They are read anew for each question: what is revoked counts no more. */
export function openStandingRules(env: Env): StandingRules {
  return {
    of: (agent) => {
      const now = new Date()
      return readGrants(env)
        .filter((grant) => grant.kind === 'call' && isInForce(grant, now) && isOf(grant, agent))
        .map((grant) => ({
          id: grant.id,
          rule: parseCallRule(grant.what),
          what: grant.what,
          by: grant.by,
          grant,
        }))
        .filter(({ grant, rule }) => leadsThere(grant, agent, rule.tool))
    },
    spend: (id) => spendGrant(env, id),
  }
}

/** Whether the rule was made for this agent, as it is now. */
function isOf({ agent_id, definition_hash }: Grant, agent: RuledAgent): boolean {
  return (
    agent_id === agent.agent_id &&
    (definition_hash === undefined || definition_hash === agent.definition_hash)
  )
}

/** What a rule for a tool notes of it, to know it again. */
export function placeOf(tool: RuledTool): Pick<Grant, 'endpoint' | 'called_how'> {
  const called_how = calledHow(tool)
  return {
    ...(tool.endpoint !== undefined && { endpoint: tool.endpoint }),
    ...(called_how !== undefined && { called_how }),
  }
}

/** A tool of the same name that calls elsewhere is another tool. */
function leadsThere({ endpoint, called_how }: Grant, { tools }: RuledAgent, tool: string): boolean {
  const now = tools.find(({ name }) => name === tool)
  return now !== undefined && now.endpoint === endpoint && calledHow(now) === called_how
}

const WAIT_MS = 5_000

/** Reads, changes and writes the file as one step, whoever else does the same. */
function change(env: Env, edit: (grants: readonly Grant[]) => readonly Grant[]): void {
  const home = makeHome(env)
  const release = lock(home)
  try {
    const path = pathOf(env)
    const next = `${path}.${process.pid}`
    // JSON is YAML: people may edit it, and nothing has to be loaded to write it.
    writeFileSync(next, `${JSON.stringify({ grants: edit(readGrants(env)) }, null, 2)}\n`, { mode: 0o600 })
    renameSync(next, path)
  } finally {
    release()
  }
}

function lock(home: string): () => void {
  const locked = takeLockWithin(home, 'grants.lock', WAIT_MS)
  if (locked.taken) return locked.release
  throw new WaybillError('GRANTS_LOCKED', {
    fault: 'failed',
    message: 'the grants are being changed by another process',
    hint: 'try again in a moment',
  })
}

function pathOf(env: Env): string {
  return join(homeOf(env), 'grants.yaml')
}
