import type { RuleEntry } from '../../rule-entry.ts'
import { agent, auth, memory, rule, tool } from './agent-entry.ts'
import { LOOKS_LIKE_A_KEY } from './entry.ts'

/** Rules for tools, their authentication, and memory. */
export const toolRules: readonly RuleEntry[] = [
  rule('SPEC-D-14', '4.4', {
    codes: ['REQUIRED_MISSING', 'PATTERN_MISMATCH', 'WRONG_TYPE', 'DUPLICATE_TOOL'],
    sentence: 'A tool has a description and a unique name of at most 64 letters, digits, _ and -.',
    right: tool({}),
    wrong: agent({ tools: [{ name: '1st', description: 'Counts.' }] }),
  }),
  rule('AAIF-4.4-01', '4.4', {
    codes: ['NOT_IN_ENUM', 'WRONG_TYPE', 'PROTOCOL_UNDETERMINED'],
    sentence: 'protocol is function, mcp, http, openapi, or standard in a loaded registry.',
    right: tool({ protocol: 'function' }),
    wrong: tool({ protocol: 'grpc' }),
  }),
  rule('AAIF-4.4-02', '4.4', {
    codes: ['SCHEMA_INVALID', 'SCHEMA_DOUBTFUL'],
    sentence: 'parameters_schema is a JSON Schema that models accept.',
    right: tool({ parameters_schema: { type: 'object' } }),
    wrong: tool({ parameters_schema: { type: 'thing' } }),
  }),
  rule('AAIF-4.4-03', '4.4', {
    codes: ['ENDPOINT_SCHEME', 'ENDPOINT_UNENCRYPTED'],
    severity: 'warning',
    sentence: 'An MCP endpoint is mcp:// or the address of a transport, preferably encrypted.',
    right: tool({ protocol: 'mcp', endpoint: 'mcp://scales/weigh' }),
    wrong: tool({ protocol: 'mcp', endpoint: 'ftp://scales.example' }),
  }),
  rule('AAIF-4.4-06', '4.4', {
    codes: ['ENDPOINT_SCHEME'],
    severity: 'warning',
    sentence: 'An OpenAPI endpoint is the URL or the local path of the document.',
    right: tool({ protocol: 'openapi', endpoint: './scales.json' }),
    wrong: tool({ protocol: 'openapi', endpoint: 'ftp://scales.example/api.json' }),
  }),
  rule('SPEC-G-01', '4.4', {
    codes: ['ENDPOINT_SCHEME', 'SCHEMA_INVALID', 'SCHEMA_DOUBTFUL'],
    sentence: 'An HTTP endpoint is a full URL, and output_schema is a JSON Schema.',
    right: tool({ output_schema: { type: 'object' } }),
    wrong: tool({ output_schema: { type: 'thing' } }),
  }),
  rule('AAIF-6-04', '6', {
    codes: ['ENDPOINT_MISSING'],
    severity: 'warning',
    sentence: 'A tool that is not a function has an endpoint, or the definition cannot be Portable.',
    right: tool({ protocol: 'http', endpoint: 'https://scales.example/weigh' }),
    wrong: tool({ protocol: 'http' }),
  }),
  rule('AAIF-12-01', '12', {
    codes: ['ENDPOINT_UNENCRYPTED'],
    severity: 'warning',
    sentence: 'Endpoints are untrusted, in particular without encryption.',
    right: tool({ protocol: 'http', endpoint: 'https://scales.example/weigh' }),
    wrong: tool({ protocol: 'http', endpoint: 'http://scales.example/weigh' }),
  }),
  rule('AAIF-12-04', '12', {
    codes: ['SECRET_INLINE', 'SECRET_SUSPECTED'],
    sentence: 'No member of a tool contains a secret.',
    right: auth({ type: 'bearer', env_var: 'SCALES_TOKEN' }),
    wrong: tool({ description: `Call it with ${LOOKS_LIKE_A_KEY}.` }),
  }),
  rule('AAIF-4.4-09', '4.4', {
    codes: ['NOT_IN_ENUM', 'WRONG_TYPE', 'AUTH_NOT_PORTABLE'],
    sentence:
      'auth.type is one of none, bearer, api_key, oauth2, aws_sigv4, basic or mtls; mtls gives a warning.',
    right: auth({ type: 'basic', env_var: 'SCALES_LOGIN' }),
    wrong: auth({ type: 'digest', env_var: 'SCALES_LOGIN' }),
  }),
  rule('AAIF-4.4-10', '4.4', {
    codes: ['SECRET_INLINE', 'SECRET_SUSPECTED', 'ENV_VAR_NOT_A_NAME', 'AUTH_SECRET_UNNAMED'],
    sentence: 'Documents name secrets by env_var or vault_ref, and never contain them.',
    right: auth({ type: 'bearer', env_var: 'SCALES_TOKEN' }),
    wrong: auth({ type: 'bearer', env_var: 'not a name' }),
  }),
  rule('AAIF-4.4-12', '4.4', {
    codes: ['REQUIRED_MISSING'],
    enforced: 'schema',
    sentence: 'A vault_ref has provider and path.',
    right: auth({ type: 'bearer', vault_ref: { provider: '1password', path: 'op://a/b/c' } }),
    wrong: auth({ type: 'bearer', vault_ref: { provider: '1password' } }),
  }),
  rule('SPEC-D-15', '4.4', {
    codes: ['NOT_IN_ENUM', 'WRONG_TYPE'],
    enforced: 'schema',
    sentence: 'vault_ref.provider is one of the six listed, or standard in a loaded registry.',
    right: auth({ type: 'bearer', vault_ref: { provider: 'azure_keyvault', path: 'a' } }),
    wrong: auth({ type: 'bearer', vault_ref: { provider: 'lastpass', path: 'a' } }),
  }),
  rule('SPEC-D-26', '4.4', {
    codes: ['UNKNOWN_MEMBER', 'WRONG_TYPE', 'AUTH_SECRET_UNUSED', 'AUTH_HEADER_MISSING'],
    sentence: 'auth has type, env_var, vault_ref, header, scopes and token_url, as its type requires.',
    right: auth({ type: 'api_key', env_var: 'SCALES_KEY', header: 'X-API-Key' }),
    wrong: auth({ type: 'basic', env_var: 'SCALES_LOGIN', realm: 'scales' }),
  }),
  rule('SPEC-D-16', '4.4', {
    codes: ['OUT_OF_RANGE', 'WRONG_TYPE'],
    enforced: 'schema',
    sentence: 'cache_ttl_seconds is at least 0, timeout_seconds and the rate limits at least 1.',
    right: tool({ cache_ttl_seconds: 0 }),
    wrong: tool({ timeout_seconds: 0 }),
  }),
  rule('AAIF-4.5-01', '4.5', {
    codes: ['NOT_IN_ENUM', 'WRONG_TYPE'],
    enforced: 'schema',
    sentence: 'scope is user, session, task or long_term.',
    right: memory({ scope: 'long_term' }),
    wrong: memory({ scope: 'global' }),
  }),
  rule('AAIF-4.5-06', '4.5', {
    codes: ['NOT_IN_ENUM', 'WRONG_TYPE'],
    enforced: 'schema',
    sentence: 'backend is one of the nine listed, or standard in a loaded registry.',
    right: memory({ backend: 'sqlite' }),
    wrong: memory({ backend: 'floppy' }),
  }),
  rule('AAIF-4.5-07', '4.5', {
    codes: ['NOT_IN_ENUM', 'WRONG_TYPE'],
    enforced: 'schema',
    sentence: 'retrieval_strategy is similarity, keyword, hybrid or recency.',
    right: memory({ retrieval_strategy: 'hybrid' }),
    wrong: memory({ retrieval_strategy: 'luck' }),
  }),
  rule('AAIF-4.5-08', '4.5', {
    codes: ['VECTOR_MEMORY_INCOMPLETE'],
    severity: 'warning',
    sentence: 'A vector backend has embedding_model and retrieval_strategy.',
    right: memory({ backend: 'qdrant', embedding_model: 'e', retrieval_strategy: 'hybrid' }),
    wrong: memory({ backend: 'qdrant' }),
  }),
  rule('SPEC-D-17', '4.5', {
    codes: ['REQUIRED_MISSING'],
    enforced: 'schema',
    sentence: 'A memory entry has scope and content.',
    right: memory({}),
    wrong: agent({ memory: [{ scope: 'task' }] }),
  }),
]
