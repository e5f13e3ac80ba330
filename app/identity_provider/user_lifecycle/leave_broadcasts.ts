import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/**
 * Replaces the address in broadcasts. Nothing more is sent to it, and it counts as skipped.
 *
 * @returns the number of rows that named it
 */
export async function leaveBroadcasts(
  email: string,
  pseudonym: string,
  trx: TransactionClientContract
): Promise<number> {
  // The condition on the broadcast makes the index usable.
  const own = () =>
    trx
      .from('broadcast_recipients')
      .whereIn('broadcast_id', (all) => all.from('broadcasts').select('id'))
      .where({ email })
  // Counts what it changed, because a change of a scheduled broadcast may have removed the row.
  const left: { broadcast_id: number }[] = await own()
    .whereNull('status')
    .update({ status: 'skipped', due_at: Date.now() }, ['broadcast_id'])
  for (const { broadcast_id: id } of left.toSorted((a, b) => a.broadcast_id - b.broadcast_id)) {
    await trx.from('broadcasts').where({ id }).increment('skipped', 1)
  }
  const recipients = await own().update({ email: pseudonym })
  const created = await trx
    .from('broadcasts')
    .where('created_by', email)
    .update({ created_by: pseudonym })
  return Number(recipients) + Number(created)
}
