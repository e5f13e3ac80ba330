import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/**
 * Ends the sessions of an account that is deactivated (panel.md#sessions). A record that becomes
 * inactive for another reason, such as a changed address, leaves them to the other records.
 */
export async function endAccountSessions(subject: string, trx: TransactionClientContract) {
  await trx.from('panel_sessions').where('subject', subject).delete()
}
