/** Maps the pointer of a schema error to the requirement that it breaks. First match wins; `*` is any array index. */

type Table = readonly (readonly [pattern: RegExp, rule: string])[]

const OF_TASK: Table = [
  [/^(\/task(\/intent)?)?$/, 'IAP-task-01'],
  [/^\/iap_version$/, 'IAP-task-04'],
  [/^\/(parent_)?task_id$/, 'IAP-task-05'],
  [/^\/sender/, 'IAP-task-06'],
  [/^\/task\/context_ref$/, 'IAP-task-08'],
  [/^\/task\//, 'IAP-task-07'],
  [/^\/delivery\/webhook$/, 'IAP-delivery-05'],
  [/^\/delivery\/email$/, 'IAP-delivery-06'],
  [/^\/delivery\/status_endpoint$/, 'IAP-delivery-08'],
  [/^\/delivery/, 'IAP-delivery-01'],
  [/^\/constraints\/token_budget$/, 'IAP-constraints-02'],
  [/^\/constraints/, 'IAP-constraints-08'],
  [/^\/success_criteria/, 'IAP-success-01'],
  [/^\/output\/schema$/, 'IAP-output-02'],
  [/^\/output\/deliver_to$/, 'IAP-output-03'],
  [/^\/output/, 'IAP-output-01'],
  [/^\/on_failure\/max_retries$/, 'IAP-failure-07'],
  [/^\/on_failure\/escalate_to$/, 'IAP-failure-05'],
  [/^\/on_failure/, 'IAP-failure-01'],
]

const OF_RESULT: Table = [
  [/^\/iap_version$/, 'IAP-task-04'],
  [/^\/status$/, 'IAP-result-02'],
  [/^\/metadata/, 'IAP-result-03'],
]

export function ruleOfTask(pointer: string): string {
  return ruleOf(pointer, OF_TASK, 'IAP-task-01')
}

export function ruleOfResult(pointer: string): string {
  return ruleOf(pointer, OF_RESULT, 'IAP-result-01')
}

function ruleOf(pointer: string, table: Table, otherwise: string): string {
  return table.find(([pattern]) => pattern.test(pointer))?.[1] ?? otherwise
}
