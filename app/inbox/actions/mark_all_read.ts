import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import { transaction } from '#core/database/transaction'
import { recordInboxChange } from '#app/delivery/actions/record_inbox_change'
import { requireFewChanges } from '#app/inbox/actions/require_few_changes'
import { inboxOf } from '#app/inbox/queries/inbox'
import inboxConfig from '#config/inbox'

/**
 * Marks all items as read, or those of one application, but none that is archived or snoozed.
 *
 * @returns how many were unread
 * @throws RateLimited, before which some of very many items may have been marked
 */
export async function markAllRead(email: string, appCode?: string): Promise<number> {
  let updated = 0
  for (;;) {
    const part = await transaction((trx) => markPartRead(email, appCode, trx))
    if (part === 0) return updated
    updated += part
  }
}

async function markPartRead(
  email: string,
  appCode: string | undefined,
  trx: TransactionClientContract
): Promise<number> {
  const unread = () => inboxOf(email, { unreadOnly: true, appCode }, trx)
  const items = unread().select('id').orderBy('id').limit(inboxConfig.markedTogether).forUpdate()
  const ids = (await items.pojo<{ id: number }>()).map(({ id }) => id)
  if (ids.length === 0) return 0
  requireFewChanges(email)
  await unread()
    .whereIn('id', ids)
    .update({ readAt: toDatabaseTimestamp(DateTime.utc()) })
  await recordInboxChange(email, 'read', ids, trx)
  return ids.length
}
