import type { Finding } from '../../../document/finding.ts'
import { isObject, type JsonObject } from '../../../document/json.ts'
import { appendStep } from '../../../document/json-pointer.ts'
import { objectAt, textAt } from '../../loose-members.ts'
import { featureLevel } from '../feature-level.ts'

/** What stands around the content: version, update, lifecycle and extensions. */
export function* checkSurroundings(envelope: JsonObject): Iterable<Finding> {
  yield* checkVersion(envelope)
  yield* checkUpdate(envelope)
  yield* checkLifecycle(objectAt(envelope, 'lifecycle'))
  yield* checkExtensions(objectAt(envelope, 'extensions'))
}

/** An envelope names the version that it follows (§2.1), and readers of that one should understand all of it. */
function* checkVersion(envelope: JsonObject): Iterable<Finding> {
  const declared = textAt(envelope, 'aah_version')
  const level = featureLevel(envelope)
  if (declared === undefined || declared.slice(0, 3) >= level) return
  yield {
    severity: 'info',
    code: 'VERSION_BELOW_FEATURES',
    pointer: '/aah_version',
    message: `it says ${declared}, and uses what came with ${level}`,
    hint: `write "${level}"`,
    rule: 'AAH-2.1-01',
  }
}

/** A partial update updates one section; what else it carries is not stored (§2.6). */
function* checkUpdate(envelope: JsonObject): Iterable<Finding> {
  if (!Object.hasOwn(envelope, 'section_update')) return
  for (const member of ['content', 'sections']) {
    if (!Object.hasOwn(envelope, member)) continue
    yield {
      severity: 'warning',
      code: 'UPDATE_CARRIES_MORE',
      pointer: `/${member}`,
      mark: 'key',
      message: `${member} is ignored beside section_update`,
      hint: 'send either a partial update or the whole artifact',
      rule: 'AAH-2.6-02',
    }
  }
}

function* checkLifecycle(lifecycle: JsonObject): Iterable<Finding> {
  if (textAt(lifecycle, 'status') !== 'superseded' || Object.hasOwn(lifecycle, 'superseded_by')) return
  yield {
    severity: 'warning',
    code: 'SUPERSEDED_BY_MISSING',
    pointer: '/lifecycle/superseded_by',
    mark: 'parent',
    message: 'the artifact is superseded, but not said by which',
    hint: 'add "superseded_by": the id of the artifact that replaces it',
    rule: 'AAH-2.7-05',
  }
}

/** Extensions stand under the name of who defined them (§2.9). */
function* checkExtensions(extensions: JsonObject): Iterable<Finding> {
  for (const [name, value] of Object.entries(extensions)) {
    if (isObject(value)) continue
    yield {
      severity: 'warning',
      code: 'EXTENSION_NOT_NAMESPACED',
      pointer: appendStep('/extensions', name),
      message: 'an extension stands here that belongs to no framework or vendor',
      hint: 'put it into an object under the name of who defines it: {"acme": {…}}',
      rule: 'AAH-2.9-01',
    }
  }
}
