import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { DateTime } from 'luxon'
import { auditRowOf, recordAuditRows } from '#core/audit/record_change'
import type { Change } from '#core/audit/change'
import { requireSameAccess } from '#core/changes/caller_access'
import { transaction } from '#core/database/transaction'
import { AddressReplacement } from '#app/audit/values/without_address'
import BegunProviderChange from '#app/identity_provider/models/begun_provider_change'

/**
 * Before a change is made at the provider. If the caller's access has changed since the request
 * began, the guards decide again.
 */
export async function beginChange(change: Change): Promise<number> {
  const fields = { begunAt: DateTime.utc(), entry: JSON.stringify(auditRowOf(change)) }
  const { id } = await transaction(async (trx) => {
    await requireSameAccess(trx)
    return BegunProviderChange.create(fields, { client: trx })
  })
  return id
}

/** @returns false if its entry has been added */
export async function endChange(id: number, trx: TransactionClientContract): Promise<boolean> {
  const [deleted] = await BegunProviderChange.query({ client: trx }).where({ id }).delete()
  return Number(deleted) > 0
}

/** Adds the entries of changes whose process has died. */
export async function recordAbandoned(ids: number[], trx: TransactionClientContract) {
  const changes = await BegunProviderChange.query({ client: trx }).whereIn('id', ids).orderBy('id')
  await recordAuditRows(
    trx,
    changes.map(({ entry }) => JSON.parse(entry))
  )
}

/**
 * Adds the entries that name an address, before an erasure replaces it in the audit trail.
 *
 * @param longerOnes known addresses that end with this one
 */
export async function recordNaming(
  email: string,
  longerOnes: string[],
  trx: TransactionClientContract
) {
  const replacement = new AddressReplacement(email, '', longerOnes)
  const isNamed = (entry: string) => replacement.inJson(entry) !== JSON.stringify(JSON.parse(entry))
  const changes = await BegunProviderChange.query({ client: trx }).forUpdate()
  const ids = changes.filter(({ entry }) => isNamed(entry)).map(({ id }) => id)
  await recordAbandoned(ids, trx)
  await BegunProviderChange.query({ client: trx }).whereIn('id', ids).delete()
}
