import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** Where the logs end from which events are derived. */
export async function currentPositions(trx: TransactionClientContract) {
  const { revision }: { revision: number | string } = await trx
    .from('change_revisions')
    .select('revision')
    .firstOrFail()
  const { sequence }: { sequence: number } = await trx
    .from('audit_chain')
    .select('sequence')
    .firstOrFail()
  return { sinceRevision: Number(revision), sinceSequence: sequence }
}
