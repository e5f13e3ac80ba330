import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { usesPostgres } from '#core/database/dialect'
import { containing } from '#core/database/filter_by_text'

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
  const position = usesPostgres() ? 'strpos' : 'instr'
  // Before the entries, as whoever sends a message or a digest locks them.
  await endSends(email, trx)
  await deleteDigests(email, trx)
  const notifications = await trx
    .from('notifications')
    .where({ email })
    .update({
      email: pseudonym,
      subject: '',
      payload: '{}',
      in_inbox: false,
      body_text: null,
      body_html: null,
      explanation: null,
      archived_at: null,
      snoozed_until: null,
      status: trx.raw(`case when status = 'scheduled' then 'skipped' else status end`),
      status_reason: trx.raw(
        `case when status = 'scheduled' then 'RECIPIENT_ERASED'
         else substr(status_reason, 1, ${position}(status_reason || ':', ':') - 1) end`
      ),
    })
  // Some may have begun meanwhile; none can begin while its entry is locked.
  await endSends(pseudonym, trx)
  await deleteDigests(email, trx)
  for (const table of ['inbox_changes', 'inbox_stream_tickets']) {
    await trx.from(table).where({ email }).delete()
  }
  const own = () => trx.from('notifications').where('email', pseudonym).select('id')
  await trx.from('idempotency_keys').whereIn('notification_id', own()).delete()
  // Stored responses may quote the address. They are kept for a day only.
  await trx
    .from('idempotency_keys')
    .whereRaw(`answer like ? escape '\\'`, [containing(email)])
    .delete()
  await trx
    .from('deliveries')
    .whereIn('notification_id', own())
    .update({ error: null, provider_message_id: null })
  await trx.from('delivery_attempts').whereIn('notification_id', own()).update({ text: null })
  const logins = await trx.from('login_records').where({ email }).update({ email: pseudonym })
  const revisions = await trx
    .from('template_revisions')
    .where('actor_email', email)
    .update({ actor_email: pseudonym })
  return Number(notifications) + Number(logins) + Number(revisions)
}

/** Of the log entries with this address, which may be a pseudonym. */
async function endSends(email: string, trx: TransactionClientContract) {
  const entries = () => trx.from('notifications').where({ email }).select('id')
  await trx.from('pending_sends').whereIn('notification_id', entries()).delete()
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
