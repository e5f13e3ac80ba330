import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { usesPostgres } from '#core/database/dialect'
import { containing } from '#core/database/filter_by_text'
import {
  type Rows,
  deleteInParts,
  inParts,
  partSize,
  somePart,
  updateInParts,
} from '#core/database/in_parts'
import { isOneOf, listValue } from '#core/database/select_rows'

/**
 * Replaces the address in logs, which lose what was sent (profiles.md#erasing-a-user).
 *
 * @returns the number of entries
 */
export async function pseudonymizeLogs(
  email: string,
  pseudonym: string,
  trx: TransactionClientContract
): Promise<number> {
  // Before the entries: locks are taken in the same order as when a message or digest is sent.
  await endSends(email, trx)
  await deleteDigests(email, trx)
  const entries = await pseudonymizeEntries(email, pseudonym, trx)
  // Some may have begun meanwhile; none can begin while its entry is locked.
  await endSends(pseudonym, trx)
  await deleteDigests(email, trx)
  const named: Rows = (rows) => rows.where({ email })
  for (const table of ['inbox_changes', 'inbox_stream_tickets']) {
    await deleteInParts(table, named, trx)
  }
  for (let start = 0; start < entries.length; start += partSize.rows) {
    await forgetTexts(entries.slice(start, start + partSize.rows), trx)
  }
  // Stored responses may quote the address. They are kept for a day only.
  await trx
    .from('idempotency_keys')
    .whereRaw(`answer like ? escape '\\'`, [containing(email)])
    .delete()
  const logins = await updateInParts('login_records', named, { email: pseudonym }, trx)
  const revisions = await trx
    .from('template_revisions')
    .where('actor_email', email)
    .update({ actor_email: pseudonym })
  return entries.length + logins + Number(revisions)
}

/** @returns their ids */
async function pseudonymizeEntries(
  email: string,
  pseudonym: string,
  trx: TransactionClientContract
): Promise<number[]> {
  const position = usesPostgres() ? 'strpos' : 'instr'
  const ids: number[] = []
  await inParts(async (limit) => {
    const part = somePart('notifications', (rows) => rows.where({ email }), limit, trx)
    const changed: { id: number }[] = await part.update(
      {
        email: pseudonym,
        subject: '',
        payload: '{}',
        in_inbox: false,
        body_text: null,
        body_html: null,
        explanation: null,
        archived_at: null,
        snoozed_until: null,
        status: trx.knexRawQuery(`case when status = 'scheduled' then 'skipped' else status end`),
        status_reason: trx.knexRawQuery(
          `case when status = 'scheduled' then 'RECIPIENT_ERASED'
           else substr(status_reason, 1, ${position}(status_reason || ':', ':') - 1) end`
        ),
      },
      ['id']
    )
    for (const { id } of changed) ids.push(id)
    return changed.length
  })
  return ids
}

/** What the entries with these ids have besides themselves. */
async function forgetTexts(ids: number[], trx: TransactionClientContract) {
  const isOne = isOneOf('notification_id')
  const ofEntries = (table: string) => trx.from(table).whereRaw(isOne, [listValue(ids) as string])
  await ofEntries('idempotency_keys').delete()
  await ofEntries('deliveries').update({ error: null, provider_message_id: null })
  await ofEntries('delivery_attempts').update({ text: null })
}

/** Of the log entries with this address, which may be a pseudonym. */
async function endSends(email: string, trx: TransactionClientContract) {
  const entries = () => trx.from('notifications').where({ email }).select('id')
  const ofEntries: Rows = (rows) => rows.whereIn('notification_id', entries())
  await deleteInParts('pending_sends', ofEntries, trx)
  await trx
    .from('provider_mails')
    .whereIn('notification_id', entries())
    .update({
      content: null,
      due_at: null,
      status: trx.raw("case when status = 'queued' then 'failed' else status end"),
    })
}

async function deleteDigests(email: string, trx: TransactionClientContract) {
  const users = trx.from('users').where({ email }).select('id')
  await trx.from('digests').whereIn('user_id', users).delete()
}
