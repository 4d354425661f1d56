import type { CodeEntries } from './code-entry.ts'

export const RUN_CODES = {
  INPUT_INVALID: {
    status: 422,
    meaning: 'The input does not match `io.input_schema`.',
    remedy: 'Give JSON that matches, for example with `--input @input.json`.',
  },
  MAX_ITERATIONS_EXCEEDED: {
    meaning: 'The agent used all its iterations without an answer.',
    remedy: 'Look at the events; raise `orchestration.max_iterations` if the task needs more.',
  },
  TIMEOUT: {
    meaning: 'The turn exceeded its time limit.',
    remedy: 'Raise `runtime.timeout_seconds`.',
  },
  BUDGET_EXCEEDED: {
    meaning: 'The budget of tokens, dollars, calls or seconds is used up.',
    remedy: 'Raise `--budget`, or the budget of the configuration.',
  },
  USAGE_ESTIMATED: {
    meaning:
      'A budget of tokens or dollars is in force, and a model did not report its token usage: the usage is estimated, and `usage.estimated` is true.',
    remedy: 'Use a provider that reports usage, or set the budget with a margin.',
    severity: 'warning',
  },
  NO_ROUTE: {
    meaning: 'No model was usable or gave an answer; the message gives the reason for each.',
    remedy: 'See `waybill plan`: the cause is usually a key, a host or a provider that is down.',
  },
  OUTPUT_INVALID: {
    meaning:
      'The answer does not match `io.output_schema`, and the model could not repair it. The answer of the last sub-agent of several is not repaired.',
    remedy:
      'Look at the events of the run; simplify the schema, use `response_format: json_schema`, or give the last sub-agent the same `output_schema`.',
  },
  OUTPUT_TRUNCATED: {
    meaning: 'The answer was truncated at the token limit.',
    remedy: 'Raise `model.params.max_tokens`.',
    severity: 'warning',
  },
  CONTENT_FILTERED: {
    meaning: 'The content filter of the provider withheld the answer, or a part of it.',
    remedy: 'Change the input or the model.',
  },
  MODEL_REFUSED: {
    meaning: 'The model refused to answer. No call of the answer was made.',
    remedy: 'Change the input or the model; the message has the words of the model.',
  },
  MODEL_ANSWER_CUT: {
    meaning: 'The answer was cut off at the token limit before its first word.',
    remedy: 'Raise `model.params.max_tokens`; the limit also counts the reasoning of the model.',
  },
  CALLS_NOT_MADE: {
    meaning:
      'Two answers in a row called tools and were cut off, or ended for an unknown reason. No call of such an answer is made.',
    remedy: 'Raise `model.params.max_tokens`, or use a server that gives `finish_reason`.',
  },
  MODEL_FINISH_UNKNOWN: {
    meaning:
      'The provider gave no reason, or an unknown one, for the end of the answer. The text is used; calls are not made.',
    remedy: 'Read the answer: its end may be missing. Use a server that gives `finish_reason`.',
    severity: 'warning',
  },
  CANCELLED: {
    meaning: 'The caller cancelled the run.',
    remedy: 'Start a new run.',
  },
  CONCURRENCY_DEADLOCK: {
    meaning:
      'Two runs that call the agents of each other held all slots of both agents, so that neither could end; this call was aborted.',
    remedy: 'Raise `runtime.concurrency` of one of the agents, or run them one after the other.',
  },
  CONCURRENCY_EXCEEDED: {
    meaning:
      'All slots of `runtime.concurrency` are in use and the run was not allowed to wait (`--no-wait`), or an agent called itself beyond the limit.',
    remedy: 'Wait until a run has ended, or raise the limit.',
  },
  RUN_NOT_FOUND: {
    status: 404,
    meaning: 'There is no recorded run of this id.',
    remedy: '`waybill runs list` shows all runs.',
  },
  RUN_AMBIGUOUS: {
    meaning: 'Several runs begin or end with this part of an id.',
    remedy: 'Write more characters of the id.',
  },
  RUN_LOCKED: {
    status: 409,
    meaning: 'Another process is driving the run.',
    remedy: 'Wait for that process, or stop it: its work is saved.',
  },
  RUN_TAKEN_OVER: {
    status: 503,
    meaning: 'Another process has taken over the run, so this process may not append to its record.',
    remedy: 'Follow the run with `waybill runs watch`; do not resume it in two places.',
  },
  RUN_IMPORTED: {
    status: 409,
    meaning: 'The run was imported: it is evidence and cannot be resumed.',
    remedy: 'Start a new run, or resume the run where it was recorded.',
  },
  REPLAY_DIVERGED: {
    meaning:
      'A replay needed an answer that the recorded run does not have: the agent would act in another way.',
    remedy: 'Compare the replay with its run: `waybill runs diff RUN REPLAY`.',
  },
  REPLAY_REFUSED: {
    meaning:
      'A replay has the answers of a recorded run, so it can be neither resumed nor exported as a state.',
    remedy: 'Use the recorded run; its id is in `replay` of `waybill runs show REPLAY --json`.',
  },
  PAUSE_TIMEOUT: {
    meaning: 'A run that was asked to pause did not stop in time, because calls in flight have not finished.',
    remedy: 'It is paused as soon as they have finished; see `waybill runs show RUN`.',
  },
  TURN_UNFINISHED: {
    status: 409,
    meaning: 'A message was sent to a run whose last turn has not ended.',
    remedy: 'Resume it without `input` first.',
  },
  TURN_INTERRUPTED: {
    meaning: 'A message of the user interrupted the turn of a conversation, or rolled it back.',
    remedy: 'None: the message is the next turn.',
  },
  CALL_UNSETTLED: {
    meaning:
      'The run ended or was stopped while a write was in flight, and the outcome of the write is unknown.',
    remedy: 'Check in the other system whether the write took effect; see [recovery](guides/recovery.md).',
  },
  REPLAY: {
    meaning: 'The run was a replay: the record of another run answered, and its result is not evidence.',
    remedy: 'None: this is intended.',
    severity: 'warning',
  },
  REHEARSAL: {
    meaning: 'The run was a rehearsal: doubles answered, and its result is not evidence.',
    remedy: 'None: this is intended.',
    severity: 'warning',
  },
  DEGRADED: {
    meaning: 'The definition requests a feature that the run did not provide.',
    remedy: 'Decide whether that matters; see `waybill plan`.',
    severity: 'warning',
  },
  APPROVAL_ASSUMED: {
    meaning: 'In a rehearsal, the approval of a call was assumed; a real run would ask a person.',
    remedy: 'None.',
    severity: 'warning',
  },
  SIGNATURE_REFUSED: {
    meaning:
      'The signature of the definition is missing where one is required, is not valid, or its key is revoked.',
    remedy:
      'Fetch the file again; trust the signer with `waybill keys trust`, or change `signatures` in the configuration.',
  },
  RESIDENCY_UNPROVEN: {
    meaning: 'There is no proof that a model keeps data in the region that the agent declares.',
    remedy:
      'Use a local model, or declare in the configuration where your providers keep data (`residency`).',
  },
  CONSTRAINT_BREACHED: {
    meaning: 'An answer violated a constraint and was withheld.',
    remedy: 'Read the record; change the constraint, or the instructions that cause the violation.',
  },
  CONSTRAINT_REDACTED: {
    meaning: 'An answer violated a constraint, and the violating part was removed.',
    remedy: 'Look at the answer; the level `strict` would withhold it.',
    severity: 'warning',
  },
  CONSTRAINT_UNJUDGED: {
    meaning: 'The judge gave no verdict. At the levels `strict` and `regulated` the answer is then withheld.',
    remedy: 'Look at the route of the judge; name another with `--judge`.',
    severity: 'warning',
  },
  HOOK_FAILED: {
    meaning: 'A hook threw, took longer than 30 seconds, or does not exist; the run continued.',
    remedy: 'Correct the function.',
    severity: 'warning',
  },
  TELEMETRY_UNSENT: {
    meaning:
      'Spans or metrics did not reach the collector; the run itself is not affected. Not emitted with `telemetry.log_level: error`.',
    remedy: 'Read the reason: check that the collector is running and that its host is allowed.',
    severity: 'warning',
  },
  CONTEXT_STALE: {
    meaning:
      'A context text is older than its `refresh_ttl_seconds` and could not be fetched again; the older text is used.',
    remedy: 'Read the reason: check that its server is running and that its host is allowed.',
    severity: 'warning',
  },
  CONDITION_UNEVALUABLE: {
    meaning: 'A condition could not be evaluated, and counts as not satisfied.',
    remedy:
      'Try it with `waybill condition`; see [what conditions see](guides/orchestration.md#what-conditions-see).',
    severity: 'warning',
  },
  MODEL_WARNING: {
    meaning: 'The provider or its library reported a warning, for example about an omitted parameter.',
    remedy: 'Read the message.',
    severity: 'warning',
  },
  MODEL_SUBSTITUTED: {
    meaning: 'A model answered in place of a preferred model, for the reason that the message gives.',
    remedy: '`waybill plan` shows what each route needs; see [models](guides/models.md).',
    severity: 'warning',
  },
  INPUT_MISSING: {
    meaning: 'A run or conversation was started without an input, and no person can be asked for it.',
    remedy: 'Give an input, such as `--input TEXT`; `--input ""` is an empty input.',
  },
  RUN_EXISTS: {
    status: 409,
    meaning: 'There is already a run with this id.',
    remedy: 'Remove that run first, or keep it.',
  },
  EXPORT_DAMAGED: {
    meaning: 'The file of an exported run was truncated or changed, and was not imported.',
    remedy: 'Export the run again with `waybill runs export`.',
  },
  BATCH_NOT_FOUND: {
    status: 404,
    meaning: 'There is no batch with this id, or no run of the batch that was to be continued is on record.',
    remedy:
      'Start the batch without `--resume`; a batch is known by its definition, its file and its inputs.',
  },
} satisfies CodeEntries
