import { createHash } from 'node:crypto'
import { sha256OfCanonical } from '../../document/canonical.ts'
import { countValues } from '../../document/count-values.ts'
import { defined } from '../../document/defined.ts'
import type { Document } from '../../document/document.ts'
import { type Issue, type UnplacedIssue, WaybillError } from '../../document/issue.ts'
import { asJson, type Json, type JsonObject } from '../../document/json.ts'
import { encodingOfMediaType } from '../../document/media-types.ts'
import { MAX_BYTES, readDocument } from '../../document/read-document.ts'
import { negotiate } from '../../plan/negotiation/negotiate.ts'
import { negotiationReport } from '../../plan/negotiation/negotiation-report.ts'
import { auditedAgent } from '../../policy/audited-agent.ts'
import { judgeSignature, type SignaturePolicies, type SignatureState } from '../../policy/signature-policy.ts'
import { createFindSchema } from '../../resolve/find-schema.ts'
import type { MappedSchemas } from '../../schema/mapped-schemas.ts'
import type { Trust } from '../../session/home.ts'
import { uploadChecker } from '../../settings/check-signature.ts'
import { conformanceLevels } from '../../spec/aaif/conformance-levels.ts'
import type { AgentDefinition } from '../../spec/aaif/generated/agent.ts'
import type { PlatformManifest } from '../../spec/aaif/generated/manifest.ts'
import { validateAgentDefinition } from '../../spec/aaif/validate-agent-definition.ts'
import { neighbourIssue, neighbourOfFile } from '../../spec/neighbour-issue.ts'
import { placeFindings } from '../../spec/place-findings.ts'
import { hostNamesIn } from './host-names.ts'

/** The rules of this platform for definitions. */
export interface UploadRules {
  /** Returns the manifest of this platform, which the requirements of a definition are compared with. */
  readonly manifest: () => PlatformManifest
  /** Registries whose values are also permitted (AAIF §10). */
  readonly registries?: readonly Json[]
  /** Schemas that definitions may refer to, by address. */
  readonly schemas?: MappedSchemas
  readonly signatures?: SignaturePolicies
}

/** Which functions an organisation may use. */
export interface InstalledFunctions {
  /** @throws FUNCTION_NOT_ALLOWED */
  assertAllowed(org: string, definition: AgentDefinition): Promise<void>
}

/** What is known of the bytes of an upload, which have been accepted. */
export interface Upload {
  readonly agent_id: string
  readonly name: string
  /** Absent: the definition has none. */
  readonly version?: string
  readonly isDeprecated: boolean
  /** `sha256:` of the bytes. */
  readonly digest: string
  /** SHA-256 of the canonical form, as plans name it. */
  readonly definition: string
  readonly safety_level: string
  readonly content: AgentDefinition
  readonly signature: SignatureState
  readonly report: UploadReport
}

/** What is stored of the examination of an upload. */
export interface UploadReport {
  readonly name: string
  readonly levels: JsonObject
  readonly negotiation: JsonObject
  readonly issues: readonly Issue[]
}

/** Values of a definition. A thousand tools with ten parameters each have half as many. */
const MAX_VALUES = 100_000

/** Where the platform publishes its manifest. */
const MANIFEST_PATH = '/.well-known/aaif-manifest.json'

/**
 * Reads and examines an uploaded definition: its media type, the rules of the format, its signature, and its requirements
 * on the host (AAIF §6, §7, §12).
 * @throws DOCUMENT_TOO_LARGE; DEFINITION_INVALID, HOST_NAME_REFUSED, SIGNATURE_REFUSED, CAPABILITY_UNMET, with `issues`
 */
export function readUpload(
  body: Uint8Array,
  mediaType: string,
  rules: UploadRules,
  { trust, uploader }: { readonly trust: Trust; readonly uploader: string },
): Upload {
  const { document, issues } = validated(body, mediaType, rules)
  const { value } = document
  const definition = value as unknown as AgentDefinition
  const refused = auditedAgent(value)
  const names = placeFindings(hostNamesIn(definition), document)
  const [named] = names
  if (named !== undefined)
    throw new WaybillError('HOST_NAME_REFUSED', {
      message: named.message,
      at: named.pointer,
      issues: names,
      ...defined({ hint: named.hint, rule: named.rule, refused }),
    })
  const signature = uploadChecker(trust, rules.signatures ?? {}, uploader)(definition)
  const safety_level = definition.agent.compliance?.safety_level ?? 'standard'
  const judged = judgeSignature(signature, safety_level === 'strict' || safety_level === 'regulated')
  if (judged.verdict === 'refuse')
    throw refusal('SIGNATURE_REFUSED', `the signature check refuses this definition: ${judged.reason}`, {
      pointer: '/provenance/signature',
      rule: 'AAIF-12-13',
      hint: 'sign the definition with a key that the operator trusts',
      refused,
    })
  const manifest = rules.manifest()
  const negotiation = negotiate(definition, manifest)
  if (negotiation.verdict === 'reject') {
    const unmet = placeFindings(negotiation.issues, document)
    throw new WaybillError('CAPABILITY_UNMET', {
      message: `this platform does not meet ${negotiation.unmet.join(', ')}`,
      ...defined({ at: unmet[0]?.pointer, rule: unmet[0]?.rule, refused }),
      hint: 'choose a platform that offers it, or remove the requirement from the definition',
      issues: unmet,
    })
  }
  const source = { document: manifest, source: MANIFEST_PATH, fetched: false, expired: false }
  const hash = sha256OfCanonical(value)
  const { name, version } = definition.agent
  return {
    // As plans name an agent without an id.
    agent_id: definition.agent_id ?? `unnamed:${hash.slice(0, 16)}`,
    name,
    ...defined({ version }),
    isDeprecated: definition.status === 'deprecated',
    digest: `sha256:${createHash('sha256').update(body).digest('hex')}`,
    definition: hash,
    safety_level,
    content: definition,
    signature,
    report: {
      name,
      levels: asJson(conformanceLevels(value, issues).levels) as JsonObject,
      negotiation: negotiationReport(name, source, negotiation),
      issues,
    },
  }
}

function validated(
  body: Uint8Array,
  mediaType: string,
  { registries = [], schemas }: UploadRules,
): { readonly document: Document; readonly issues: readonly Issue[] } {
  const encoding = encodingOfMediaType(mediaType)
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(mediaType)?.[1]
  if (encoding === undefined || (charset !== undefined && !/^(?:utf-?8|us-ascii)$/i.test(charset)))
    throw refusal(
      'DEFINITION_INVALID',
      `${JSON.stringify(mediaType)} is not the media type of a definition`,
      {
        hint: 'send application/json, application/yaml or application/cbor, texts in UTF-8',
      },
    )
  if (body.byteLength > MAX_BYTES)
    throw refusal('DOCUMENT_TOO_LARGE', `the definition has more than ${MAX_BYTES} bytes`, {
      hint: 'refer to large contents by URL',
    })
  const { document, issues } = readDocument(body, { encoding, maxValues: 2 * MAX_VALUES })
  const other = () => neighbourOfFile(body, document?.value)
  if (document === undefined) {
    const neighbour = other()
    if (neighbour !== undefined) throw invalid([neighbourIssue(neighbour)], '')
    throw invalid(issues, `it is not valid ${encoding.toUpperCase()}: `)
  }
  if (countValues(document.value, MAX_VALUES) > MAX_VALUES)
    throw refusal('DOCUMENT_TOO_LARGE', `the definition has more than ${MAX_VALUES} values`, {
      hint: 'refer to large contents by URL',
    })
  const found = validateAgentDefinition(document, {
    registries,
    findSchema: createFindSchema(schemas, undefined),
  })
  const all = [...document.warnings, ...found]
  if (found.some(({ severity }) => severity === 'error')) {
    const neighbour = other()
    throw invalid(
      neighbour === undefined ? all : [neighbourIssue(neighbour)],
      '',
      auditedAgent(document.value),
    )
  }
  return { document, issues: all }
}

/** Returns one error with all issues; its message is that of the first error. */
function invalid(
  issues: readonly Issue[],
  prefix: string,
  refused?: ReturnType<typeof auditedAgent>,
): WaybillError {
  const errors = issues.filter(({ severity }) => severity === 'error')
  const [first] = errors
  const more = errors.length - 1
  return new WaybillError('DEFINITION_INVALID', {
    message: `${prefix}${first?.message ?? 'it is not an agent definition'}${more > 0 ? ` (and ${more} more)` : ''}`,
    ...defined({ at: first?.pointer, line: first?.line, column: first?.column, rule: first?.rule, refused }),
    hint: first?.hint ?? '`issues` lists all problems; `waybill validate FILE` shows them as well',
    issues,
  })
}

function refusal(
  code: 'DEFINITION_INVALID' | 'DOCUMENT_TOO_LARGE' | 'SIGNATURE_REFUSED',
  message: string,
  more: Partial<Pick<UnplacedIssue, 'pointer' | 'rule'>> & {
    readonly hint: string
    readonly refused?: ReturnType<typeof auditedAgent>
  },
): WaybillError {
  const { pointer, rule, hint, refused } = more
  const issue: UnplacedIssue = {
    severity: 'error',
    code,
    pointer: pointer ?? '',
    message,
    hint,
    ...defined({ rule }),
  }
  return new WaybillError(code, {
    message,
    hint,
    ...defined({ at: pointer, rule, refused }),
    issues: [issue],
  })
}
