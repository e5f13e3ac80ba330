import { invalidField } from '#core/exceptions/problems'
import { changingAccess } from '#core/database/changing_access'
import { logSecurityEvent } from '#core/security_events'
import User from '#app/profiles/models/user'
import { accountIssuer } from '#app/profiles/values/account'

/**
 * Moves the records that are bound to another issuer to the current one, for a provider whose
 * address changed and that kept its user ids.
 *
 * @returns how many records were moved
 * @throws ValidationError for what is no URL or is the current issuer
 */
export async function moveAccounts(issuer: string): Promise<number> {
  if (!URL.canParse(issuer)) throw invalidField('issuer', 'url', 'The former issuer must be a URL')
  if (issuer === accountIssuer) {
    throw invalidField('issuer', 'former', 'This is the current issuer: name the former one')
  }
  const moved = await changingAccess(async (trx, changed) => {
    const theirs = () => User.query({ client: trx }).where({ idpIssuer: issuer })
    // In the order in which events lock them.
    await theirs().select('id').orderBy('email').forUpdate()
    const [count] = await theirs().update({ idpIssuer: accountIssuer })
    if (Number(count) > 0) changed({})
    return Number(count)
  })
  if (moved > 0) {
    const facts = { actor: 'identity:move', from: issuer, to: accountIssuer, records: moved }
    logSecurityEvent('identity_changed', 'User records were moved to another issuer', facts)
  }
  return moved
}
