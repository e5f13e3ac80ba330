import { readAccountBinding } from '#app/profiles/queries/read_account_binding'
import { type Account, accountIssuer } from '#app/profiles/values/account'

/** Whether the record is active and bound to the account. Binds nothing and bypasses the cache. */
export async function isAccountActive({
  email,
  subject,
}: Pick<Account, 'email' | 'subject'>): Promise<boolean> {
  const record = await readAccountBinding(email)
  return record?.active === true && record.subject === subject && record.issuer === accountIssuer
}
