import { invalidField } from '#core/exceptions/problems'
import { recordChange } from '#core/audit/record_change'
import { accessTransaction } from '#core/database/access_transaction'
import { logSecurityEvent } from '#core/security_events'
import User from '#app/profiles/models/user'
import { accountIssuer } from '#app/profiles/values/account'

/**
 * For a provider whose address changed and that kept its user ids.
 * @returns the number of records moved
 * @throws ValidationError if `issuer` is not a URL or is the current issuer
 */
export async function moveAccounts(issuer: string): Promise<number> {
  if (!URL.canParse(issuer)) throw invalidField('issuer', 'url', 'The former issuer must be a URL')
  if (issuer === accountIssuer) {
    throw invalidField('issuer', 'former', 'This is the current issuer. Name the former one')
  }
  const moved = await accessTransaction(async (trx, changed) => {
    const records = () => User.query({ client: trx }).where({ idpIssuer: issuer })
    // The order in which other transactions lock them.
    await records().select('id').orderBy('email').forUpdate()
    const [count] = await records().update({ idpIssuer: accountIssuer })
    if (Number(count) === 0) return 0
    changed({})
    await recordChange(trx, {
      action: 'user.moved',
      application: null,
      target: { kind: 'issuer', id: issuer, label: issuer },
      before: { issuer },
      after: { issuer: accountIssuer, records: Number(count) },
    })
    return Number(count)
  })
  if (moved > 0) {
    const facts = { actor: 'identity:move', from: issuer, to: accountIssuer, records: moved }
    logSecurityEvent('identity_changed', 'User records were moved to another issuer', facts)
  }
  return moved
}
