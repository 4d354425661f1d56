import type { Finding } from '../../../document/finding.ts'
import type { JsonObject } from '../../../document/json.ts'
import type { JudgeOptions } from '../../kinds.ts'
import { objectAt, textAt } from '../../loose-members.ts'

/** Checks the addresses to which a task and its result are sent. */
export function* checkDelivery(task: JsonObject, { authoring = false }: JudgeOptions): Iterable<Finding> {
  const delivery = objectAt(task, 'delivery')
  if (delivery.method === 'async' && !Object.hasOwn(delivery, 'webhook')) {
    // If both are missing, the schema gives the error.
    if (Object.hasOwn(delivery, 'status_endpoint')) yield pollingOnly(authoring)
  }
  yield* checkAddress(textAt(delivery, 'webhook'), '/delivery/webhook', 'IAP-delivery-05', WEB)
  yield* checkAddress(
    textAt(delivery, 'status_endpoint'),
    '/delivery/status_endpoint',
    'IAP-delivery-08',
    WEB,
  )
  yield* checkAddress(textAt(delivery, 'email'), '/delivery/email', 'IAP-delivery-06', MAIL)
  yield* checkAddress(textAt(objectAt(task, 'sender'), 'email'), '/sender/email', 'IAP-task-06', MAIL)
  yield* checkAddress(
    textAt(objectAt(task, 'task'), 'context_ref'),
    '/task/context_ref',
    'IAP-task-08',
    FILE_OR_WEB,
  )
  const target = textAt(objectAt(task, 'output'), 'deliver_to')
  if (target !== 'inline') yield* checkAddress(target, '/output/deliver_to', 'IAP-output-03', TARGET)
}

function pollingOnly(authoring: boolean): Finding {
  return {
    severity: authoring ? 'error' : 'warning',
    code: 'ASYNC_WITHOUT_WEBHOOK',
    pointer: '/delivery/webhook',
    mark: 'parent',
    message: 'the result can only be polled; strict receivers refuse async without a webhook',
    hint: 'add "webhook": the URL that receives the result',
    rule: 'IAP-delivery-05',
  }
}

interface AddressForm {
  readonly fits: (text: string) => boolean
  readonly is: string
}

const hasScheme = (text: string, schemes: readonly string[]) =>
  URL.canParse(text) && schemes.includes(new URL(text).protocol)

const WEB: AddressForm = { fits: (text) => hasScheme(text, ['https:', 'http:']), is: 'an http(s) URL' }
const FILE_OR_WEB: AddressForm = {
  fits: (text) => hasScheme(text, ['https:', 'http:', 'file:']),
  is: 'an http(s) or file URL',
}
const TARGET: AddressForm = { fits: FILE_OR_WEB.fits, is: 'inline, or an http(s) or file URL' }
const MAIL: AddressForm = { fits: (text) => /^[^\s@]+@[^\s@]+$/.test(text), is: 'an e-mail address' }

function* checkAddress(
  text: string | undefined,
  pointer: string,
  rule: string,
  { fits, is }: AddressForm,
): Iterable<Finding> {
  // The schema refuses an empty address.
  if (text === undefined || text === '' || fits(text)) return
  yield {
    severity: 'warning',
    code: 'FORMAT_MISMATCH',
    pointer,
    message: `${pointer.slice(1).replace('/', '.')} is not ${is}`,
    hint: `write ${is}`,
    rule,
  }
}
