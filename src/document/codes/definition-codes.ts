import type { CodeEntries } from './code-entry.ts'

export const DEFINITION_CODES = {
  NOT_AAIF: {
    meaning: 'The document is not an agent definition, or `sc_standard` is not `SC-006`.',
    remedy: 'Write `sc_standard: SC-006` if the document is meant to be one.',
  },
  DEFINITION_INVALID: {
    status: 422,
    meaning:
      'The definition is invalid, but the command or function needs a valid one; the message quotes the first finding.',
    remedy: '`waybill validate` shows all findings.',
  },
  FORMAT_MISMATCH: {
    meaning: 'An id is not a UUID, a time is not a valid time, or a URL is not a valid URL.',
    remedy: 'Give new agents a UUID; do not change ids that other systems already use.',
    severity: 'warning',
  },
  DUPLICATE_TOOL: {
    meaning: 'Two tools have the same name.',
    remedy: 'Rename one: the model calls tools by name.',
  },
  ENDPOINT_MISSING: {
    meaning: 'The protocol of the tool needs an endpoint.',
    remedy: 'Add `endpoint`.',
    severity: 'warning',
  },
  ENDPOINT_SCHEME: {
    meaning: 'The URL scheme of the endpoint does not match the protocol.',
    remedy: 'Use a scheme that the hint lists.',
    severity: 'warning',
  },
  ENDPOINT_UNENCRYPTED: {
    meaning: 'Arguments, answers and secrets would be sent without encryption.',
    remedy: 'Use `https:` or `wss:`.',
    severity: 'warning',
  },
  PROTOCOL_UNDETERMINED: {
    meaning: 'A tool has an endpoint but no protocol, so it is not activated.',
    remedy: 'Add `protocol`.',
    severity: 'warning',
  },
  AUTH_NOT_PORTABLE: {
    meaning: 'Not every platform supports `mtls`.',
    remedy: 'Keep it only where all platforms that read the definition support it.',
    severity: 'warning',
  },
  AUTH_SECRET_UNNAMED: {
    meaning: 'The authentication type needs a secret, but the definition names no secret.',
    remedy: 'Add `env_var` or `vault_ref`.',
    severity: 'warning',
  },
  AUTH_SECRET_UNUSED: {
    meaning: 'A secret is named, but the authentication type is `none`, so the secret is not sent.',
    remedy: 'Add the type, or remove the name of the secret.',
    severity: 'warning',
  },
  AUTH_HEADER_MISSING: {
    meaning: '`api_key` does not name the header that carries the key.',
    remedy: 'Add `header`.',
    severity: 'warning',
  },
  ENV_VAR_NOT_A_NAME: {
    meaning: '`env_var` is not a valid name of an environment variable.',
    remedy: 'Write the name of the variable, never its value.',
  },
  SECRET_INLINE: {
    meaning: 'The document contains a secret.',
    remedy: 'Remove it, revoke it, and refer to the new one by `env_var` or `vault_ref`.',
  },
  SECRET_SUSPECTED: {
    meaning: 'A value looks like a secret.',
    remedy: 'If it is a secret, remove it, revoke it, and refer to the new one by `env_var` or `vault_ref`.',
    severity: 'warning',
  },
  CONDITION_SAYS_MORE: {
    meaning: 'The text of a condition (`nl`) names a value that its expression does not test.',
    remedy: 'Test the value in `expr`, which decides.',
  },
  CONDITION_NOT_PORTABLE: {
    meaning: 'A condition is written in natural language, which platforms evaluate differently.',
    remedy: 'Write it as an expression, and keep the text in `nl`.',
    severity: 'warning',
  },
  EXPR_IGNORED: {
    meaning: '`always` and `never` ignore an expression.',
    remedy: 'Remove `expr`, or name its language.',
    severity: 'info',
  },
  EXPR_TYPE: {
    meaning: '`expr` does not have the type that its language needs.',
    remedy: 'Write a rule object for JsonLogic, a string for the other languages.',
  },
  DUPLICATE_ALIAS: {
    meaning: 'Two sub-agents have the same alias.',
    remedy: 'Give each sub-agent its own alias.',
  },
  PIPELINE_UNRESOLVED: {
    meaning: 'A step of the pipeline does not refer to a declared sub-agent.',
    remedy: 'Use a declared alias or ref.',
  },
  PIPELINE_AMBIGUOUS: {
    meaning: 'A step of the pipeline matches more than one sub-agent.',
    remedy: 'Give the sub-agents aliases, and use the aliases.',
  },
  REFEREE_MISSING: {
    meaning: 'The consensus strategy is `referee`, but no referee is named.',
    remedy: 'Add `referee_agent`.',
  },
  PROVIDER_UNKNOWN: {
    meaning: 'The provider of a fallback is not registered, so platforms will skip it.',
    remedy: 'Correct the name if it is misspelt.',
    severity: 'warning',
  },
  VECTOR_MEMORY_INCOMPLETE: {
    meaning: 'A vector memory has no embedding model or no retrieval strategy.',
    remedy: 'Add the member that the hint names.',
    severity: 'warning',
  },
  CAPABILITY_FORM: {
    meaning: 'A required capability does not have the form `category.capability`.',
    remedy: 'Write it like `tool.function`.',
    severity: 'warning',
  },
  METRIC_UNNAMED: {
    meaning: 'A custom metric has no name.',
    remedy: 'Add `custom_name`.',
    severity: 'warning',
  },
  EXTENSION_SHADOWS_STANDARD: {
    meaning: 'An `x-` member has the name of a standard member, and all readers ignore it.',
    remedy: 'Use the standard member, or add the name of a vendor to the extension.',
    severity: 'warning',
  },
  SC_VERSION_UNKNOWN: {
    meaning:
      'The document states a version of the format that this product does not know, or writes it unusually.',
    remedy: 'Write the version of the format that the document follows, such as 3.4.0.',
    severity: 'warning',
  },
  PROVIDER_MISSING: {
    meaning: 'The definition names a model, but not its provider.',
    remedy: 'Add `model.provider`.',
    severity: 'warning',
  },
  APPROVAL_TIMEOUT_UNUSABLE: {
    meaning: 'The time for an approval is over before a person can answer, so every call is denied.',
    remedy: 'Raise or remove `human_in_the_loop.timeout_seconds`.',
    severity: 'warning',
  },
  SCHEMA_INVALID: {
    meaning: 'A schema in the definition is not a usable JSON Schema.',
    remedy: 'Use draft 2020-12, within the size limits.',
  },
  SCHEMA_DOUBTFUL: {
    meaning:
      'A part of a schema may not have the effect that its author expects, such as a pattern that is not checked, or a reference to a document that is not available.',
    remedy: 'Follow the message.',
    severity: 'warning',
  },
} satisfies CodeEntries
