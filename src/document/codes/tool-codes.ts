import type { CodeEntries } from './code-entry.ts'

export const TOOL_CODES = {
  TOOL_DENIED: {
    meaning: 'The plan does not allow the tool; the call was not sent.',
    remedy: 'See `waybill plan`.',
  },
  TOOL_PROTOCOL_UNSUPPORTED: {
    meaning: 'This host does not support the protocol of the tool; the call was not sent.',
    remedy: 'See [tools](guides/tools.md).',
  },
  TOOL_NUMBER_INEXACT: {
    meaning: 'A number in the arguments is not exact as a number of JavaScript; the function was not called.',
    remedy: 'Let the parameter accept text: the model is asked to send it so.',
  },
  TOOL_FUNCTION_MISSING: {
    meaning: 'The module has no function of that name; the call was not made.',
    remedy: 'Export the function.',
  },
  FUNCTION_PROCESS_FAILED: {
    meaning:
      'The process of a module of functions could not be started, ended during the call, or did not answer. A call that had been sent may have taken effect.',
    remedy: 'Read the output of the module in the log of the worker.',
  },
  TOOL_ENDPOINT_INVALID: {
    meaning: 'The endpoint is not a valid URL; the call was not sent.',
    remedy: 'Correct the definition.',
  },
  TOOL_AUTH_HEADER_INVALID: {
    meaning: '`auth.header` is not a header that may carry a key; the call was not sent.',
    remedy: 'Name another header.',
  },
  SECRET_NOT_GRANTED: {
    meaning: 'The secret of the tool may not be sent to that host; the call was not sent.',
    remedy: 'Grant the pair: `--allow-secret NAME@HOST`.',
  },
  SECRET_MISSING: {
    meaning: 'The variable of the secret is not set; the call was not sent.',
    remedy: 'Set it, or give `--env-file`.',
  },
  SECRET_UNUSABLE: {
    meaning: 'The secret contains characters that a header cannot carry; the call was not sent.',
    remedy: 'Look for a line break at its end.',
  },
  TOOL_THREW: {
    meaning: 'The function threw.',
    remedy:
      'Correct the function; the model received its message. The stack is on standard error, in the log of the worker, or given to `onFunctionError` of the library.',
  },
  TOOL_FILE_MOVED: {
    meaning: 'A file that the plan names for the tool no longer exists, or a link replaced it.',
    remedy: 'Restore the file, or plan again.',
  },
  TOOL_ERROR: {
    meaning: 'The call failed for another reason; its outcome is unknown.',
    remedy: 'Read the message.',
  },
  TOOL_VETOED: {
    meaning: 'The hook `on_tool_call` did not allow the call, or failed; the call was not sent.',
    remedy: 'Read the reason, which the model received; see [tools](guides/tools.md#hooks).',
  },
  TOOL_RATE_LIMITED: {
    meaning: 'The `rate_limit` of the tool would delay the call beyond its timeout; the call was not sent.',
    remedy: 'Call the tool less often, or raise the limit.',
  },
  TOOL_ARGUMENTS_INVALID: {
    meaning:
      'The arguments do not match the operation or the schema of the function (`tool()`), or repeat a value that the endpoint fixes; the call was not sent.',
    remedy: 'None: the model receives the corrections.',
  },
  TOOL_DOCUMENT_UNREADABLE: {
    meaning: 'The OpenAPI document of the plan can no longer be read; the call was not sent.',
    remedy: 'Restore it, or start a new run.',
  },
  TOOL_DOCUMENT_CHANGED: {
    meaning: 'The OpenAPI document differs from the one of the plan; the call was not sent.',
    remedy: 'Start a new run, or keep a copy of the document.',
  },
  TOOL_TIMEOUT: {
    meaning: 'The tool exceeded `timeout_seconds`; the call may still have taken effect.',
    remedy: 'A person decides the outcome of a write: see [recovery](guides/recovery.md).',
  },
  TOOL_UNREACHABLE: {
    meaning: 'No answer arrived: the call was not sent, or its outcome is unknown; the message says which.',
    remedy: 'A person decides the outcome of a write: see [recovery](guides/recovery.md).',
  },
  MCP_UNREACHABLE: {
    meaning: 'The MCP server cannot be reached or started; the call was not sent.',
    remedy: 'Read the message; check `mcp_servers` in the configuration.',
  },
  MCP_SERVER_UNKNOWN: {
    meaning: 'The configuration no longer has the MCP server of the plan; the call was not sent.',
    remedy: 'Restore the entry, or plan again.',
  },
  MCP_CALL_REFUSED: {
    meaning:
      'The MCP server has not made the call: it answered with a protocol error, or asked for something that cannot be given, such as a model.',
    remedy: 'Read the message of the server.',
  },
  MCP_TOOL_ERROR: {
    meaning: 'The MCP tool itself reported a failure.',
    remedy: 'Read the message of the tool, which the model received.',
  },
  MCP_RESULT_INVALID: {
    meaning: 'The answer of the MCP server does not follow the protocol.',
    remedy: 'Report it to the operator of the server.',
  },
  MCP_CONNECTION_LOST: {
    meaning: 'The connection closed before the answer; the outcome of the call is unknown.',
    remedy: 'A person decides the outcome of a write: see [recovery](guides/recovery.md).',
  },
  TOOL_HTTP_STATUS: {
    meaning: 'The tool answered with an HTTP error status.',
    remedy: 'Read the message of the tool.',
  },
  TOOL_RESULT_INCOMPLETE: {
    meaning:
      'The answer of a read ended before it was complete, or cannot be decompressed. A write is reported as made.',
    remedy: 'Report it to the operator of the server.',
  },
  TOOL_RESULT_NOT_TEXT: {
    meaning:
      'The answer of a read is binary data, or text in an unknown encoding. A write is reported as made, without its answer.',
    remedy: 'Change the tool to answer with text or JSON, in UTF-8 or in the charset of its content type.',
  },
  TOOL_RESULT_TOO_LARGE: {
    meaning:
      'The answer of a read is larger than the limit allows. A write is reported as made, without its answer.',
    remedy: 'Change the tool to answer with less.',
  },
  RESPONSE_TOO_LARGE: {
    meaning: 'A fetched page or document is larger than the limit allows.',
    remedy: 'Refer to a smaller one.',
  },
  SECRET_UNAVAILABLE: {
    meaning: 'A secret could not be read from the secret store; the message names the secret.',
    remedy: 'Check that the store can be reached, then try again or resume the run.',
  },
} satisfies CodeEntries
