import type { Grants } from '../../policy/endpoint-gate.ts'
import type { Feature, Opened } from '../feature.ts'
import { WEBHOOK_ROUTES } from './routes.ts'
import { WEBHOOK_TABLES } from './tables.ts'
import type { Webhooks } from './webhook.ts'
import { webhooksOf } from './webhooks.ts'
import { type SenderOptions, WebhookSender } from './work.ts'

/** @public It is named by the declarations of the package. */
export interface WebhookParts {
  readonly webhooks: Pick<SenderOptions, 'keys' | 'post' | 'nextEntry'>
  /** The hosts that webhooks may be sent to. */
  readonly webhookGrants: Grants
}

export const WEBHOOKS = {
  name: 'webhooks',
  tables: WEBHOOK_TABLES,
  members: {
    webhooks: ({ principal, ...opened }: Opened, { webhooks, webhookGrants }: WebhookParts): Webhooks =>
      webhooksOf({ ...opened, user: principal.user, keys: webhooks.keys, grants: webhookGrants }),
  },
  tags: { webhooks: 'Receivers that are notified of changes of runs, and what was sent to them.' },
  routes: WEBHOOK_ROUTES,
  work:
    ({ webhooks }: Pick<WebhookParts, 'webhooks'>) =>
    (host) =>
      new WebhookSender(host, webhooks),
} satisfies Feature<WebhookParts, { readonly webhooks: Webhooks }>
