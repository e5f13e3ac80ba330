import { changingAccess } from '#core/database/changing_access'
import { logSecurityEvent } from '#core/security_events'
import User from '#app/profiles/models/user'
import { accountIssuer } from '#app/profiles/values/account'

/**
 * Takes over the records that are bound at another issuer, for a provider that has got another
 * address and kept its user ids.
 *
 * @returns how many
 */
export async function moveAccounts(issuer: string): Promise<number> {
  const moved = await changingAccess(async (trx, changed) => {
    const query = User.query({ client: trx }).where({ idpIssuer: issuer })
    const [count] = await query.update({ idpIssuer: accountIssuer })
    if (Number(count) > 0) changed({})
    return Number(count)
  })
  if (moved > 0) {
    const facts = { actor: 'identity:move', from: issuer, to: accountIssuer, records: moved }
    logSecurityEvent('identity_changed', 'User records were moved to another issuer', facts)
  }
  return moved
}
