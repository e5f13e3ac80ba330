import { recordOfAddress } from '#app/profiles/queries/record_of_address'
import { type Account, accountIssuer } from '#app/profiles/values/account'

/** Whether the record is active and bound to the account. Binds nothing and bypasses the cache. */
export async function isAccountActive({ email, subject }: Account): Promise<boolean> {
  const record = await recordOfAddress(email)
  return record?.active === true && record.subject === subject && record.issuer === accountIssuer
}
