import { normalizeEmail } from '#core/values/email'
import { accessCaches } from '#app/checks/invalidation/access_caches'
import { accountIssuer } from '#app/profiles/values/account'
import { addressOfSubject } from '#app/authzen/queries/address_of_subject'
import { RowCache } from '#app/authzen/values/row_cache'

/** By `sub`. A change of any record can give an account another address. */
const addresses = accessCaches.add(
  new RowCache<string>(({ application }) => application === undefined)
)

/**
 * The canonical address of a subject (authzen.md#subjects).
 *
 * @param id an e-mail address, or a `sub` without `@`
 */
export async function findSubject(id: string): Promise<string | undefined> {
  if (id.includes('@')) return normalizeEmail(id) ?? undefined
  return addresses.get(id) ?? addresses.load(id, () => readAddress(id))
}

/** Whether an account belongs to a user, and not to a machine. */
export async function isUser(subject: string): Promise<boolean> {
  return (await readAddress(subject)) !== undefined
}

async function readAddress(subject: string): Promise<string | undefined> {
  const [row] = await addressOfSubject.all([subject, accountIssuer])
  return row?.email
}
