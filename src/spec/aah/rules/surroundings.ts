import type { Finding } from '../../../document/finding.ts'
import { isObject, type JsonObject } from '../../../document/json.ts'
import { appendStep } from '../../../document/json-pointer.ts'
import { objectAt, textAt } from '../../loose-members.ts'
import { featureLevel } from '../feature-level.ts'

/** Checks the members around the content: version, section_update, lifecycle and extensions. */
export function* checkSurroundings(envelope: JsonObject): Iterable<Finding> {
  yield* checkVersion(envelope)
  yield* checkUpdate(envelope)
  yield* checkLifecycle(objectAt(envelope, 'lifecycle'))
  yield* checkExtensions(objectAt(envelope, 'extensions'))
}

/** Checks that readers of the declared version support all members of the envelope (§2.1). */
function* checkVersion(envelope: JsonObject): Iterable<Finding> {
  const declared = textAt(envelope, 'aah_version')
  const level = featureLevel(envelope)
  if (declared === undefined || declared.slice(0, 3) >= level) return
  yield {
    severity: 'info',
    code: 'VERSION_BELOW_FEATURES',
    pointer: '/aah_version',
    message: `aah_version is ${declared}, but the envelope uses members added in ${level}`,
    hint: `write "${level}"`,
    rule: 'AAH-2.1-01',
  }
}

/** Warns about members of a partial update that receivers do not store (§2.6). */
function* checkUpdate(envelope: JsonObject): Iterable<Finding> {
  if (!Object.hasOwn(envelope, 'section_update')) return
  for (const member of ['content', 'sections']) {
    if (!Object.hasOwn(envelope, member)) continue
    yield {
      severity: 'warning',
      code: 'UPDATE_CARRIES_MORE',
      pointer: `/${member}`,
      mark: 'key',
      message: `${member} is ignored in an envelope with section_update`,
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
    message: 'the artifact is superseded, but "superseded_by" is missing',
    hint: 'add "superseded_by": the id of the artifact that replaces it',
    rule: 'AAH-2.7-05',
  }
}

/** Checks that each extension is under the name of its framework or vendor (§2.9). */
function* checkExtensions(extensions: JsonObject): Iterable<Finding> {
  for (const [name, value] of Object.entries(extensions)) {
    if (isObject(value)) continue
    yield {
      severity: 'warning',
      code: 'EXTENSION_NOT_NAMESPACED',
      pointer: appendStep('/extensions', name),
      message: 'this extension is not under the name of a framework or vendor',
      hint: 'put it into an object under the name of the framework or vendor: {"acme": {…}}',
      rule: 'AAH-2.9-01',
    }
  }
}
