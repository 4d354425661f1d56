/** Maps the pointer of a schema error to the requirement that it breaks. First match wins; `*` is any array index. */

const MISSING: readonly (readonly [pattern: RegExp, rule: string])[] = [
  [/^\/aah_version$/, 'AAH-2.1-01'],
  [/^\/artifact(\/\w+)?$/, 'AAH-2.2-01'],
  [/^\/source(\/\w+)?$/, 'AAH-2.3-01'],
  [/^\/content$/, 'AAH-1-02'],
  [/^\/content\/body\/\w+$/, 'AAH-5-01'],
  [/^\/content\//, 'AAH-2.4-01'],
  [/^\/sections\//, 'AAH-2.5-01'],
  [/^\/section_update\//, 'AAH-2.6-01'],
]

const VALUES: readonly (readonly [pattern: RegExp, rule: string])[] = [
  [/^\/aah_version$/, 'AAH-2.1-01'],
  [/^\/artifact(\/(type|created_at))?$/, 'AAH-2.2-01'],
  [/^\/artifact\/id$/, 'AAH-2.2-05'],
  [/^\/artifact\/summary$/, 'AAH-2.2-03'],
  [/^\/artifact\/version$/, 'AAH-2.2-04'],
  [/^\/artifact\//, 'AAH-2.2-02'],
  [/^\/source(\/agent_id)?$/, 'AAH-2.3-01'],
  [/^\/source\//, 'AAH-2.3-02'],
  [/^\/content(\/(media_type|body_url))?$/, 'AAH-2.4-01'],
  [/^\/content\/body_hash$/, 'AAH-2.4-03'],
  [/^\/content\/body$/, 'AAH-5-02'],
  [/^\/content\/body\//, 'AAH-5-01'],
  [/^\/content\//, 'AAH-2.4-02'],
  [/^\/sections(\/\*(\/(heading|content|agent_id|created_at|updated_at))?)?$/, 'AAH-2.5-01'],
  [/^\/(sections\/\*|section_update)\/id$/, 'AAH-4.2-01'],
  [/^\/sections\/\*\/type$/, 'AAH-2.5.1-01'],
  [/^\/sections\/\*\/status$/, 'AAH-2.5.3-01'],
  [/^\/sections\/\*\/(approval|decided|decision)_\w+$/, 'AAH-2.5.3-02'],
  [/^\/sections\/\*\/task_status$/, 'AAH-2.5.2-01'],
  [/^\/sections\/\*\/priority$/, 'AAH-2.5.2-02'],
  [/^\/sections\/\*\/output_\w+$/, 'AAH-2.5.2-03'],
  [/^\/sections\/\*\/(started|completed)_at$/, 'AAH-2.5.2-04'],
  [/^\/sections\/\*\/(assignee_agent|source_section)_id$/, 'AAH-2.5.2-05'],
  [/^\/sections\/\*\/\w+$/, 'AAH-2.5-02'],
  [/^\/section_update/, 'AAH-2.6-01'],
  [/^\/lifecycle\/retention$/, 'AAH-2.7-01'],
  [/^\/lifecycle\/visibility$/, 'AAH-2.7-02'],
  [/^\/lifecycle\/status$/, 'AAH-2.7-03'],
  [/^\/(lifecycle\/expires_at|handoff\/response_deadline)$/, 'AAH-2.2-06'],
  [/^\/lifecycle\//, 'AAH-2.7-05'],
  [/^\/handoff\/priority$/, 'AAH-2.8-01'],
  [/^\/handoff\/target_\w+$/, 'AAH-2.8-02'],
  [/^\/handoff\/expects_response$/, 'AAH-2.8-03'],
  [/^\/handoff\//, 'AAH-2.8-04'],
  [/^\/extensions$/, 'AAH-2.9-01'],
]

export function ruleOfMissing(pointer: string): string {
  return ruleOf(pointer, MISSING)
}

export function ruleOfValue(pointer: string): string {
  return ruleOf(pointer, VALUES)
}

function ruleOf(pointer: string, table: readonly (readonly [RegExp, string])[]): string {
  const place = pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*')
  return table.find(([pattern]) => pattern.test(place))?.[1] ?? 'AAH-1-01'
}
