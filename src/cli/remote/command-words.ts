import { type DoorWords, replaceWords } from '../../policy/hints/replace-words.ts'

/** The commands by the requests that hints of a server name. The first that fits is replaced first. */
const WORDS: DoorWords = [
  [/GET \/v1\/agents\/ID\/versions/g, '`waybill agents versions AGENT`'],
  [/POST \/v1\/agents\/[^\s/]+\/activate/g, '`waybill agents activate AGENT`'],
  [/POST \/v1\/agents\/ID\/runs/g, '`waybill run AGENT`'],
  [/POST \/v1\/agents\/ID\/plan/g, '`waybill plan AGENT`'],
  [/POST \/v1\/agents(?![\w/])/g, '`waybill agents upload FILE`'],
  [/GET \/v1\/agents(?![\w/])/g, '`waybill agents list`'],
  [/GET \/v1\/approvals\/ID/g, '`waybill approvals show RUN`'],
  [/GET \/v1\/approvals(?![\w/-])/g, '`waybill approvals list`'],
  [/GET \/v1\/approval-policies/g, '`waybill policies list`'],
  [/add one with PUT(?! \/)/g, 'set one with `waybill policies set`'],
  [/GET \/v1\/runs\/RUN\/events/g, '`waybill runs events RUN`'],
  [/GET \/v1\/runs\/RUN\/record/g, '`waybill runs export RUN`'],
  [/DELETE \/v1\/runs\/RUN/g, '`waybill runs rm RUN`'],
  [/GET \/v1\/runs\/RUN/g, '`waybill runs show RUN`'],
  [/GET \/v1\/runs(?![\w/])/g, '`waybill runs list`'],
  [/POST \/v1\/runs\/[^\s/]+\/(?:resume|retry)/g, '`waybill resume RUN`'],
  [/POST \/v1\/runs\/[^\s/]+\/pause/g, '`waybill pause RUN`'],
  [/GET \/v1\/peers/g, '`waybill peers list`'],
  [/GET \/v1\/tokens/g, '`waybill token list`'],
  [/GET \/v1\/secrets/g, '`waybill secret list`'],
  [
    /PUT \/v1\/secrets\/(\w+) with \{"value":"…","hosts":\["([^"]*)"\]\}/g,
    '`waybill secret set $1 --host $2`',
  ],
  [/PUT \/v1\/secrets\/(\w+)/g, '`waybill secret set $1`'],
  [/GET \/v1\/rules/g, '`waybill grants list`'],
  [/DELETE \/v1\/rules\/RULE/g, '`waybill grants revoke RULE`'],
  [/GET \/v1\/audit\/verify/g, '`waybill audit verify`'],
  [/"rehearse": true/g, '--rehearse'],
  [/raise "budget": \{"(\w+)": N\} of the request/g, 'raise --budget $1=N'],
  [/"budget": \{"(\w+)": N\}/g, '--budget $1=N'],
  [/add "session" to the request/g, 'add --session ID'],
  [/add "user" to the request/g, 'add --user ID'],
  [/`?\/openapi\.json`?/g, 'URL/openapi.json'],
]

const REQUEST = /(?:^|\b)(?:GET|POST|PUT|PATCH|DELETE) \/\S*/

/**
 * Returns a hint of a server in the words of the command line. A request for which there is no command is named as part of
 * the HTTP API.
 */
export function commandHint(hint: string, url: string): string {
  const own = replaceWords(hint, WORDS).replaceAll('URL/openapi.json', `${url}/openapi.json`)
  return REQUEST.test(own)
    ? `there is no command for this yet: use the HTTP API of the server, ${url}/docs`
    : own
}
