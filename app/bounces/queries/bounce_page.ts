import db from '@adonisjs/lucid/services/db'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { Page } from '#core/http/paging'
import MailBounce from '#app/suppressions/models/mail_bounce'
import type { BounceKind } from '#app/suppressions/values/bounce_kind'

export interface BounceFilter {
  email?: string
  kind?: BounceKind
}

/** A page and one more row, with `app_code` in `$extras`. The newest comes first. */
export function bouncePage(
  { email, kind }: BounceFilter,
  page: Page,
  client?: TransactionClientContract
) {
  const appCode = db
    .from('notifications')
    .select('app_code')
    .whereColumn('notifications.id', 'mail_bounces.notification_id')
    .as('app_code')
  return MailBounce.query({ client })
    .select('*', appCode)
    .if(email !== undefined, (query) => query.where('email', email!))
    .if(kind, (query) => query.where('kind', kind!))
    .if(page.after, (query) => query.where('id', '<', page.after!))
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
}
