/** The vocabularies of AAIF: every enumerated value of an agent definition, in the order of the draft. */

export const SC_STANDARD = 'SC-006'
/** The version that this product writes, and the default of a definition without a version (AAIF-4-04). */
export const SC_VERSION = '3.4.0'

export const STATUSES = ['draft', 'active', 'deprecated'] as const

export const PROVIDERS = [
  'openai',
  'anthropic',
  'google',
  'vertex_ai',
  'mistral',
  'cohere',
  'groq',
  'ollama',
  'azure_openai',
  'bedrock',
  'huggingface',
  'together',
  'fireworks',
  'deepseek',
  'xai',
  'openrouter',
  'custom',
] as const
export const ROUTING_STRATEGIES = ['preferred_first', 'cost', 'latency', 'quality', 'round_robin'] as const
export const RESPONSE_FORMATS = ['text', 'json', 'json_schema', 'markdown'] as const

export const AGENT_ROLES = ['orchestrator', 'worker', 'evaluator', 'router', 'synthesizer'] as const
export const SUBAGENT_ROLES = ['worker', 'evaluator', 'specialist', 'fallback'] as const
export const CONSENSUS_STRATEGIES = ['majority_vote', 'best_of_n', 'referee', 'first_success'] as const

export const CONTEXT_TYPES = ['text', 'file', 'url', 'dataset', 'schema_ref'] as const

export const TOOL_PROTOCOLS = ['function', 'mcp', 'http', 'openapi'] as const
/** `mtls` is in the draft (§4.4) but not in the published schema: accepted with a warning. */
export const AUTH_TYPES = ['none', 'bearer', 'api_key', 'oauth2', 'aws_sigv4', 'basic', 'mtls'] as const
export const VAULT_PROVIDERS = [
  'aws_secretsmanager',
  'hashicorp_vault',
  'azure_keyvault',
  'gcp_secretmanager',
  '1password',
  'custom',
] as const

export const MEMORY_SCOPES = ['user', 'session', 'task', 'long_term'] as const
export const MEMORY_BACKENDS = [
  'in_memory',
  'redis',
  'postgres',
  'sqlite',
  'pinecone',
  'weaviate',
  'qdrant',
  'chroma',
  'custom',
] as const
export const VECTOR_BACKENDS: readonly string[] = ['pinecone', 'weaviate', 'qdrant', 'chroma']
export const RETRIEVAL_STRATEGIES = ['similarity', 'keyword', 'hybrid', 'recency'] as const

export const IO_FORMATS = ['text', 'json', 'markdown', 'structured'] as const
export const IO_MODES = ['sync', 'async', 'batch'] as const

export const TRIGGER_TYPES = [
  'manual',
  'schedule',
  'webhook',
  'message',
  'event',
  'agent_handoff',
  'file_change',
] as const

export const BACKOFFS = ['fixed', 'linear', 'exponential'] as const
export const ENVIRONMENTS = ['production', 'staging', 'development', 'test'] as const
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const

export const METRICS = [
  'faithfulness',
  'relevance',
  'coherence',
  'toxicity',
  'hallucination_rate',
  'task_completion',
  'latency_ms',
  'cost_usd_per_run',
  'tool_call_accuracy',
  'custom',
] as const

export const SAFETY_LEVELS = ['minimal', 'standard', 'strict', 'regulated'] as const
export const REGIONS = ['global', 'EU', 'US', 'UK', 'APAC', 'custom'] as const
export const PII_POLICIES = ['none', 'detect', 'anonymize', 'encrypt', 'reject'] as const

export const EXPRESSION_LANGUAGES = ['jsonpath', 'jmespath', 'cel', 'jsonlogic'] as const
export const CONDITION_LANGUAGES = [...EXPRESSION_LANGUAGES, 'always', 'never'] as const

/** Of Agent State (§8.1). */
export const STATE_STATUSES = [
  'running',
  'paused',
  'awaiting_approval',
  'awaiting_tool_result',
  'completed',
  'failed',
  'migrating',
] as const
export const MESSAGE_ROLES = ['system', 'user', 'assistant', 'tool'] as const
export const PENDING_STATUSES = ['pending', 'in_flight', 'awaiting_result'] as const
export const SUBAGENT_STATUSES = ['pending', 'running', 'paused', 'completed', 'failed'] as const

/** Conformance levels (§6), from the lowest to the highest; Multi-agent is a separate branch (§6). */
export const CONFORMANCE_LEVELS = [
  'Core',
  'Tooled',
  'Portable',
  'Multi-agent',
  'Observable',
  'Enterprise',
  'Stateful',
] as const
export const DIRECTIONS = ['producer', 'consumer', 'both'] as const

/** Vaults of Platform Manifests (§7); three names differ from those in agent definitions. */
export const MANIFEST_ROUTING_STRATEGIES = ['cost', 'latency', 'quality', 'round_robin'] as const
export const MANIFEST_VAULTS = [
  'aws_secrets_manager',
  'hashicorp_vault',
  'azure_key_vault',
  'gcp_secret_manager',
  '1password',
] as const
export const INTAKE_METHODS = ['POST', 'PUT'] as const
export const INTAKE_AUTH_SCHEMES = ['bearer', 'api_key', 'none'] as const

/** Of registries (§10). */
export const ENTRY_STATUSES = ['standard', 'provisional', 'deprecated', 'reserved'] as const
