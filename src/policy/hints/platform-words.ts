import { mapHints } from './map-hints.ts'
import { type DoorWords, replaceWords, withoutForeign } from './replace-words.ts'

/** A value in a hint: up to the end of the sentence, without its punctuation. */
const VALUE = '([^\\s;,)?]+)'
/** Who can do what the command line of a local run offers as an option. */
const OPERATOR = 'the operator of the platform'

/**
 * The ways out on the platform by those of the command line: what an option of a run is there, an operator sets in
 * `config.yaml`, or a request says.
 */
const WORDS: DoorWords = [
  // Private addresses: `allow_hosts` does not permit them.
  [
    new RegExp(`allow it on the command line: --allow-host ${VALUE}`, 'g'),
    `${OPERATOR} allows it with private_hosts: [$1] in config.yaml`,
  ],
  [
    new RegExp(`if it is intended, allow the literal address: --allow-host ${VALUE}`, 'g'),
    `if it is intended, ${OPERATOR} allows the literal address with private_hosts: ['$1'] in config.yaml`,
  ],
  [
    new RegExp(`use https, or allow the host by its full name: --allow-host ${VALUE}`, 'g'),
    `use https, or let ${OPERATOR} allow the host by its full name: allow_hosts: [$1] in config.yaml`,
  ],
  [
    new RegExp(
      `name the model on the command line: --model \\S+; or allow its server: --allow-host ${VALUE}`,
      'g',
    ),
    `${OPERATOR} allows its server with private_hosts: [$1] in config.yaml`,
  ],
  [
    new RegExp(`allow it with --allow-host ${VALUE}`, 'g'),
    `${OPERATOR} allows it with allow_hosts: [$1] in config.yaml`,
  ],
  [
    new RegExp(`grant it in the config \\(secrets\\) or with --allow-secret ([^\\s;,)?@]+)@${VALUE}`, 'g'),
    'set it for that host: PUT /v1/secrets/$1 with {"value":"…","hosts":["$2"]}',
  ],
  [
    new RegExp(`with --allow-secret ([^\\s;,)?@]+)@${VALUE}`, 'g'),
    'with PUT /v1/secrets/$1, for the host $2',
  ],
  [
    /set it with `export (\w+)=YOUR_KEY`, or in a file of NAME=value lines with --env-file \S+/g,
    'an admin sets it with PUT /v1/secrets/$1',
  ],
  // Functions.
  [
    /export it from the module given with --tools/g,
    `${OPERATOR} installs a module that exports it (functions: in config.yaml)`,
  ],
  [
    /export it in "hooks" of the module given with --tools/g,
    `${OPERATOR} installs a module that exports it in "hooks" (functions: in config.yaml)`,
  ],
  [
    /add the module that exports them: --tools FILE/g,
    `${OPERATOR} installs the module that exports them (functions: in config.yaml)`,
  ],
  // Models.
  [
    /give this address with --base-url, or add it to (\S+) in the config/g,
    `${OPERATOR} adds it to $1 in config.yaml`,
  ],
  [/or give its address with --base-url/g, 'or give its address as model.base_url in the definition'],
  [/add --base-url URL, such as \S+, or set/g, 'set'],
  [/--base-url changes it/g, 'model.base_url in the definition changes it'],
  [/add --judge PROVIDER\/MODEL/g, 'name the judge in the definition'],
  [/add --model PROVIDER\/MODEL, or set model\.preferred/g, 'set model.preferred'],
  [/with --model PROVIDER\/MODEL|: --model PROVIDER\/MODEL/g, ' (model.preferred in the definition)'],
  [new RegExp(`did you mean --model ${VALUE}\\?`, 'g'), 'did you mean $1?'],
  // Runs.
  [
    /raise --budget (\w+)=N, or budget\.\w+ in the configuration/g,
    `raise "budget": {"$1": N} of the request; ${OPERATOR} raises budget.$1 in config.yaml`,
  ],
  [/--budget (\w+)=N/g, '"budget": {"$1": N}'],
  [
    /give the input as JSON that matches the schema, e\.g\. --input @\S+/g,
    'give "input" as JSON that matches the schema',
  ],
  [/add --session ID/g, 'add "session" to the request'],
  [/add --user ID/g, 'add "user" to the request'],
  [/use --rehearse for a dry run/g, 'use "rehearse": true for a dry run'],
  [/--rehearse needs none/g, '"rehearse": true needs none'],
  [/, or pass --allow-deprecated/g, ''],
  [/wait until one has ended, start it without --no-wait, or/g, 'wait until one has ended, or'],
  // Schemas and sub-agents.
  [
    /map it to a file: --schema (\S+)=FILE, or "schemas" in the configuration/g,
    `${OPERATOR} maps $1 to a file (schemas: in config.yaml)`,
  ],
  [
    /given with --schema, or under "schemas" in the configuration or the options/g,
    'under schemas: in config.yaml',
  ],
  [/ \(--agents DIR\)/g, ''],
  [/raise the limit \(--max-bytes\)/g, 'split it'],
  // Commands that are requests here.
  [/`waybill approvals list` shows the waiting calls/g, 'GET /v1/approvals lists the waiting calls'],
  [/`waybill approvals list`/g, 'GET /v1/approvals'],
  [/`waybill runs list` shows all runs/g, 'GET /v1/runs lists all runs'],
  [/`waybill runs list`/g, 'GET /v1/runs'],
  [/`waybill runs show(?: [^`]*)?`/g, 'GET /v1/runs/RUN'],
  [/`waybill runs events(?: [^`]*)?`/g, 'GET /v1/runs/RUN/events'],
  [/`waybill runs export(?: [^`]*)?`/g, 'GET /v1/runs/RUN/record'],
  [/`waybill runs rm(?: [^`]*)?`/g, 'DELETE /v1/runs/RUN'],
  [/`waybill resume(?: [^`]*)?`/g, 'POST /v1/runs/RUN/resume'],
  [/`waybill plan`/g, 'POST /v1/agents/ID/plan'],
  [/`waybill audit verify`/g, 'GET /v1/audit/verify'],
  [
    /(?:see )?`waybill validate[^`]*` (?:shows|lists) (?:all problems|the errors of this document)/g,
    '`issues` lists all problems',
  ],
]

/** Options of runs on one machine, and commands on its home. The platform has no such option and no such home. */
const LOCAL_WAY =
  /(?<![\w-])--(?:allow-host|allow-secret|yes|tools|model|judge|base-url|schema|agents?|budget|rehearse|allow-deprecated|env-file|config|input|user|session|no-wait|detach|max-bytes|plan|batch|assume-secret|state-out|out|replay|method)\b|`?waybill (?:resume|runs|approvals|plan|run|chat|grants|memory|audit|tools|init)\b|WAYBILL_HOME/

const OTHERWISE = `${OPERATOR} sets this in config.yaml`

/** Returns a hint in the words of the platform: no option or command of a run on one machine is left in it. */
export function platformHint(hint: string): string {
  return withoutForeign(replaceWords(hint, WORDS), LOCAL_WAY, OTHERWISE)
}

/** Whether a text names a way that the platform does not have. */
export function namesLocalWay(text: string): boolean {
  return LOCAL_WAY.test(text)
}

/** Returns an answer whose errors, warnings and findings have hints of the platform. Content is not touched. */
export function inPlatformWords<T>(answer: T): T {
  return mapHints(answer, platformHint)
}
