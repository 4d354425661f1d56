import type { CodeEntries } from './code-entry.ts'

export const COMMAND_CODES = {
  USAGE: {
    meaning:
      'An option or argument of a command or function is not valid here, or a required one is missing.',
    remedy: 'See `--help` of the command, or the [library guide](guides/library.md).',
  },
  INTERNAL: {
    status: 500,
    meaning: 'Waybill has a defect.',
    remedy: 'Report it with the command; `WAYBILL_DEBUG=1` prints the stack trace.',
  },
  INTERRUPTED: {
    meaning: 'Ctrl-C was pressed at a question, before any action.',
    remedy: 'Run the command again.',
  },
  BATCH_UNREADABLE: {
    meaning: 'The inputs of `--batch` cannot be read.',
    remedy: 'Check the path.',
  },
  BATCH_INVALID: {
    meaning: '`--batch` contains no input, or a line that is not JSON.',
    remedy: 'Write one JSON value on each line, or one JSON array.',
  },
  TRIGGER_INVALID: {
    status: 422,
    meaning:
      'A schedule is not a valid cron expression or never occurs, such as 31 February; `waybill validate` and `waybill watch` report it. Or the path of a `file_change` is outside the folder of the definition. On the platform, also: the settings do not fit the kind of the trigger, or its filter cannot be evaluated.',
    remedy: 'Follow the hint.',
  },
  TRIGGERS_NONE: {
    meaning: '`waybill watch` found no trigger of type `schedule` or `file_change`.',
    remedy: 'Declare one, or use `waybill run`.',
  },
  INPUT_UNREADABLE: {
    meaning: 'The file of `--input @FILE` cannot be read.',
    remedy: 'Check the path.',
  },
  INPUT_NOT_JSON: {
    meaning:
      'The input begins like JSON but is not. An error if the agent needs JSON, else a warning: it is sent as text.',
    remedy: 'Correct the input at the line and column of the message.',
  },
  INPUT_AMBIGUOUS: {
    meaning: 'Both the definition and the input would be read from standard input.',
    remedy: 'Name a file for one of them.',
  },
  MODEL_INVALID: {
    meaning: '`--model` does not have the form `PROVIDER/MODEL`.',
    remedy: 'Write it like `openai/gpt-4o-mini`.',
  },
  BASE_URL_INVALID: {
    meaning: 'A base URL is not an absolute `http` or `https` URL, or contains credentials.',
    remedy: 'Write the whole URL; keys come from environment variables.',
  },
  TRACE_PARENT_INVALID: {
    meaning: '`--trace-parent` is not a valid W3C traceparent.',
    remedy: 'Write `00-TRACE_ID-PARENT_ID-FLAGS`, or omit the option.',
  },
  TRACE_STATE_INVALID: {
    meaning: '`--trace-state` is not a valid W3C tracestate, or no traceparent is given.',
    remedy: 'Write `KEY=VALUE,KEY=VALUE`, or omit the option.',
  },
  BUDGET_INVALID: {
    meaning: 'The value of `--budget` is not a valid budget.',
    remedy: 'Write `tokens=N,usd=N,calls=N,seconds=N`, each N above 0.',
  },
  HOST_GRANT_INVALID: {
    meaning: 'The name of a host to allow is not valid, or covers too many hosts.',
    remedy: 'Write `HOST`, `HOST:PORT` or `*.example.com`; put IPv6 addresses in brackets.',
  },
  FUNCTIONS_LOCAL: {
    meaning: 'A command on a server names a module of functions of this machine.',
    remedy: 'Ask the operator to install the module, or run the agent on this machine.',
  },
  OPTION_LOCAL_ONLY: {
    meaning: 'The option belongs to runs on this machine, and the command works on a server.',
    remedy: 'Leave it out, or use `--local`.',
  },
  SECRET_GRANT_INVALID: {
    meaning: '`--allow-secret` does not have the form `NAME@HOST`.',
    remedy: 'Write `NAME@HOST`.',
  },
  CONFIG_UNREADABLE: {
    meaning: 'The configuration file cannot be read.',
    remedy: 'Check the path and its permissions.',
  },
  CONFIG_INVALID: {
    meaning: 'The configuration, or the `waybill.yaml` of the project, has an invalid member or value.',
    remedy: 'See [configuration](guides/configuration.md).',
  },
  SCHEMA_MAPPING_INVALID: {
    meaning: '`--schema` does not have the form `URL=FILE`.',
    remedy: 'Follow the hint; see [configuration](guides/configuration.md#schemas-in-other-documents).',
  },
  SCHEMA_FILE_INVALID: {
    meaning:
      'A file that is mapped to the URL of a schema cannot be read, or contains no usable JSON Schema.',
    remedy: 'Correct the path or the file.',
  },
  PII_PATTERN_INVALID: {
    meaning: 'A pattern in `pii.patterns` is not a valid RE2 regular expression.',
    remedy: 'Write it without look-around and back-references.',
  },
  GRANT_NOT_FOUND: {
    status: 404,
    meaning: 'The home has no grant of this id.',
    remedy: '`waybill grants list` shows all grants.',
  },
  GRANT_AMBIGUOUS: {
    meaning: 'The prefix matches more than one grant.',
    remedy: 'Write more characters of the id.',
  },
  UNTIL_INVALID: {
    status: 422,
    meaning: 'The value is not a future time or a duration, such as `8h`.',
    remedy: 'Write it as the hint says.',
  },
  AGENT_AMBIGUOUS: {
    meaning:
      'Definitions of different files or URLs had runs with this agent_id, so it does not identify one; on a server: several agents have this name.',
    remedy: 'Give the definition file instead of the agent_id; on a server, give the id instead of the name.',
  },
  AGENT_NOT_FOUND: {
    status: 404,
    meaning:
      'The agent is neither a file nor the agent of a recorded run; on the platform: the organisation has no such agent.',
    remedy: 'Name its definition, or upload it.',
  },
  CALL_RULE_INVALID: {
    status: 422,
    meaning: 'A rule for calls is not valid.',
    remedy: 'See [approvals](guides/approvals.md#calls-that-are-alike).',
  },
  CALL_RULE_UNKNOWN_TOOL: {
    status: 422,
    meaning: 'A rule names a tool that no agent of this run has.',
    remedy: 'Follow the hint.',
  },
  CALL_RULE_UNKNOWN_ARGUMENT: {
    status: 422,
    meaning: 'A rule names an argument that the tool does not have, so the rule would never match.',
    remedy: 'Follow the hint.',
  },
  CALL_RULE_AMBIGUOUS: {
    status: 422,
    meaning: 'Several agents have a tool of this name; with `--yes`, the tools have different endpoints.',
    remedy: 'Name the definition of the agent with `grants allow`.',
  },
  ENV_FILE_UNREADABLE: {
    meaning: 'The file of `--env-file`, or of the variable `WAYBILL_ENV_FILE`, cannot be read.',
    remedy: 'Let the user of the process read it; the hint names the user and the owner of the file.',
  },
  ENV_FILE_INVALID: {
    meaning:
      'The file of `--env-file`, or of the variable `WAYBILL_ENV_FILE`, contains something other than variables.',
    remedy: 'Write one `NAME=value` a line, and a value with `#` in quotes.',
  },
  OUTPUT_FILE_INVALID: {
    meaning: 'The name of the new file has no known extension.',
    remedy: 'Use the extension `.yaml`, `.yml` or `.json`.',
  },
  FILE_EXISTS: {
    meaning: '`init` would replace a file.',
    remedy: 'Add `--force`, or name another file with `--output`.',
  },
  FILE_UNWRITABLE: {
    meaning: 'The new file cannot be written.',
    remedy: 'Check its folder.',
  },
  TOOL_NAME_INVALID: {
    meaning: '`init --tool`: models cannot call a tool of this name.',
    remedy: 'Use letters, digits, `_` and `-`, beginning with a letter.',
  },
  TOOL_UNKNOWN: {
    meaning: '`tools pin`: no server of the definition offers a tool of this name.',
    remedy: 'See `waybill tools list`.',
  },
  TOOL_LOCK_INVALID: {
    meaning: 'The lock file in the folder of the definition cannot be read, or is not a lock file.',
    remedy: 'Restore it; or delete it, and review every tool again.',
  },
  TOOL_LOCK_UNWRITABLE: {
    meaning: 'The lock file cannot be written.',
    remedy: 'Make the folder writable.',
  },
  TOOLS_MODULE_UNREADABLE: {
    meaning: 'A module of functions (`--tools`, or `functions` in the configuration) cannot be loaded.',
    remedy: 'Read the cause in the message; see [tools](guides/tools.md).',
  },
  TOOLS_MODULE_INVALID: {
    meaning: 'The module does not export its functions in the required form, or a flag is not a boolean.',
    remedy: 'Read the cause in the message; see [tools](guides/tools.md).',
  },
  FUNCTION_MISSING: {
    meaning: 'The run needs functions that no module exports.',
    remedy:
      'Give the module with `--tools`; on a platform, install it for the organisation (`functions` in the configuration).',
  },
  FUNCTION_NOT_ALLOWED: {
    meaning: 'The definition names a function or a hook that its organisation may not use.',
    remedy: 'Ask the operator to add the organisation to `functions` in the configuration.',
  },
  HOST_NAME_REFUSED: {
    meaning: 'An uploaded definition names a program, a module or a file of the machine of the platform.',
    remedy:
      'Write texts into the definition, upload sub-agents, and use the servers and functions that the operator has configured.',
  },
  FUNCTIONS_AMBIGUOUS: {
    meaning: 'Two modules export a function of the same name for one organisation.',
    remedy: 'Rename one, or list no organisation for both modules in the configuration.',
  },
  EXTENSION_UNREADABLE: {
    meaning: 'The module of an extension cannot be loaded.',
    remedy: 'Check the path in the configuration (`extensions`), and the module.',
  },
  EXTENSION_INVALID: {
    meaning:
      'An extension does not have the required shape, or offers a name that is built in or that another extension offers too.',
    remedy: 'See [extending](guides/extending.md).',
  },
  EXTENSION_MISSING: {
    meaning: 'The run was planned with an extension that is not loaded now.',
    remedy: 'Name its module in the configuration (`extensions`), or pass it in the options.',
  },
  SERVER_UNREACHABLE: {
    meaning: 'The server that a command uses does not answer.',
    remedy: 'Check the URL (`--server`, or that of `waybill login`), and that the server runs.',
  },
  SERVER_ANSWER_INVALID: {
    meaning: 'The server answers in a form that Waybill does not use.',
    remedy: 'Check that the URL is that of a Waybill server, without a further path.',
  },
} satisfies CodeEntries
