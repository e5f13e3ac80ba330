import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import PanelSession from '#app/auth/models/panel_session'

/** Those of an account, whatever its address. Their number is limited (panel.md#sessions). */
export function listSessions(
  subject: string,
  trx?: TransactionClientContract
): Promise<PanelSession[]> {
  return PanelSession.current(trx).where({ subject }).orderBy('id', 'desc')
}
