import { closed, flag, integer, list, oneOf, ref, type Schema, text } from '../schema-builder.ts'
import {
  CONDITION_LANGUAGES,
  CONFORMANCE_LEVELS,
  INTAKE_AUTH_SCHEMES,
  INTAKE_METHODS,
  MANIFEST_ROUTING_STRATEGIES,
  MANIFEST_VAULTS,
  SC_STANDARD,
} from './vocabulary.ts'

/**
 * The Platform Manifest of AAIF 3.4.0 (§7): the one source of the published schema, the validator and the types
 * (`npm run generate`). Its capability names differ from those of agents; negotiation maps between them.
 */

const VERSION = '^\\d+\\.\\d+\\.\\d+$'
const texts = (description: string): Schema => list({ type: 'string' }, description)
const some = (values: readonly string[], description: string, extra = {}): Schema =>
  list({ type: 'string', enum: values }, description, extra)

const tool = closed('Kinds of tools it can call.', [], {
  function: flag('Functions in its own process.'),
  mcp: flag('MCP servers.'),
  http: flag('Plain HTTP endpoints.'),
  openapi: flag('OpenAPI documents.'),
  parallel_calls: flag('Several calls at once in one turn.'),
})

const memory = closed('Memory backends it supports.', [], {
  in_memory: flag('Memory of its own process.'),
  redis: flag('Redis.'),
  postgres: flag('PostgreSQL.'),
  mongodb: flag('MongoDB.'),
  elasticsearch: flag('Elasticsearch.'),
  qdrant: flag('Qdrant.'),
  pinecone: flag('Pinecone.'),
  chroma: flag('Chroma.'),
  vector: flag('At least one store with similarity search.'),
})

const model = closed('Models it can call, and how.', [], {
  providers: texts('Providers it can route to.'),
  routing_strategies: some(
    MANIFEST_ROUTING_STRATEGIES,
    'Routing strategies it implements, in addition to the declared order.',
  ),
  fallback: flag('Tries fallbacks.'),
  streaming: flag('Streams.'),
  function_calling: flag('Lets models call functions.'),
  structured_output: flag('Enforces response_format json_schema.'),
  vision: flag('Takes images.'),
})

const orchestration = closed('How agents work together on it.', [], {
  pipeline: flag('Pipelines.'),
  parallel: flag('Swarms.'),
  dynamic_routing: flag('Routers.'),
  handoff: flag('Handing a run to another agent.'),
  consensus: flag('Consensus.'),
  max_subagents: integer(1, 'Most subagents of one orchestrator; no limit when absent.'),
  condition_languages: some(CONDITION_LANGUAGES, 'Languages of Conditions that it evaluates (§5).', {
    uniqueItems: true,
  }),
})

const vault = closed('Vaults from which it can read secrets.', [], {
  supported: flag('Whether it resolves vault_ref at all.'),
  providers: some(MANIFEST_VAULTS, 'Vaults it can read.'),
})

const auth = closed('How it can authenticate to tools.', [], {
  bearer: flag('Bearer tokens.'),
  api_key: flag('API keys.'),
  oauth2: flag('OAuth 2.'),
  aws_sigv4: flag('AWS Signature Version 4.'),
  vault: ref('VaultSupport'),
})

const state = closed('Operations on running agents (§8).', [], {
  checkpoint: flag('Captures and restores Agent State.'),
  live_migration: flag('Takes part in migrations (§8.2).'),
  streaming_handoff: flag('Takes part in streaming handoffs (§8.3).'),
  max_conversation_tokens: integer(0, 'Maximum tokens of conversation in a checkpoint; 0 means unlimited.'),
})

const compliance = closed('Rules it can enforce (§4.9).', [], {
  human_in_the_loop: flag('Asks a person.'),
  audit_log: flag('Keeps a tamper-evident log.'),
  pii_scrubbing: flag('Removes personal data.'),
  data_residency_regions: texts('Regions it can keep data in, e.g. EU.'),
})

const telemetry = closed('Telemetry it emits (§4.7).', [], {
  otel_traces: flag('OpenTelemetry traces.'),
  otel_metrics: flag('OpenTelemetry metrics.'),
  otlp_export: flag('Export over OTLP.'),
})

const capabilities = closed('Capabilities of the platform, by area.', [], {
  tool: ref('ToolSupport'),
  memory: ref('MemorySupport'),
  model: ref('ModelSupport'),
  orchestration: ref('OrchestrationSupport'),
  auth: ref('AuthSupport'),
  state: ref('StateSupport'),
  compliance: ref('ComplianceSupport'),
  telemetry: ref('TelemetrySupport'),
})

const intakeEndpoint = closed('Endpoint that receives agent definitions (§7).', [], {
  url: text('Its address.', { format: 'uri' }),
  method: oneOf(INTAKE_METHODS, 'HTTP method.', { default: 'POST' }),
  auth_scheme: oneOf(INTAKE_AUTH_SCHEMES, 'How the sender authenticates.'),
  content_type: text('Media type it accepts.', { default: 'application/json' }),
  max_body_bytes: integer(0, 'Maximum number of bytes it accepts.'),
})

const platform = closed('The platform itself.', ['name', 'version', 'aaif_conformance_level'], {
  name: text('Name shown to people.', { minLength: 1 }),
  version: text('Version of its software.'),
  vendor: text('Its vendor.'),
  manifest_url: text('Where this manifest is published.', { format: 'uri' }),
  aaif_conformance_level: oneOf(CONFORMANCE_LEVELS, 'Highest level it meets (§6).'),
  aaif_versions_supported: list({ type: 'string', pattern: VERSION }, 'Versions of the format it accepts.', {
    minItems: 1,
  }),
  capabilities: ref('PlatformCapabilities'),
  intake_endpoint: ref('IntakeEndpoint'),
  manifest_issued_at: text('When the manifest was made.', { format: 'date-time' }),
  manifest_expires_at: text('When to fetch it again.', { format: 'date-time' }),
})

export const manifestSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'urn:waybill:schema:aaif:manifest:3.4.0',
  title: 'PlatformManifest',
  ...closed(
    'Capabilities of a platform, published for negotiation (AAIF 3.4.0 §7).',
    ['sc_standard', 'sc_version', 'platform'],
    {
      _comment: text('A note to people; ignored.'),
      sc_standard: { const: SC_STANDARD, description: 'Identifies the document as AAIF (§4.1).' },
      sc_version: text('Version of the format.', { pattern: VERSION }),
      platform: ref('Platform'),
    },
    { patternProperties: { '^x-': { description: 'Extension of a vendor; never alters behaviour (§10).' } } },
  ),
  $defs: {
    Platform: platform,
    PlatformCapabilities: capabilities,
    ToolSupport: tool,
    MemorySupport: memory,
    ModelSupport: model,
    OrchestrationSupport: orchestration,
    AuthSupport: auth,
    VaultSupport: vault,
    StateSupport: state,
    ComplianceSupport: compliance,
    TelemetrySupport: telemetry,
    IntakeEndpoint: intakeEndpoint,
  },
} satisfies Schema
