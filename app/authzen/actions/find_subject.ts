import { normalizeEmail } from '#core/values/email'
import { accessCaches } from '#app/checks/invalidation/access_caches'
import { accountIssuer } from '#app/profiles/values/account'
import { addressOfSubject } from '#app/authzen/queries/address_of_subject'
import { RowCache } from '#app/authzen/values/row_cache'

/** By id of a subject. A change of any record can give an account another address. */
const addresses = accessCaches.add(
  new RowCache<string>(({ application }) => application === undefined)
)

/**
 * The canonical address of a subject (authzen.md#subjects).
 *
 * @param id an e-mail address or a `sub`
 */
export async function findSubject(id: string): Promise<string | undefined> {
  return addresses.get(id) ?? addresses.load(id, () => readSubject(id))
}

async function readSubject(id: string): Promise<string | undefined> {
  const account = await readAddress(id)
  if (!id.includes('@')) return account
  // With some providers, an account can choose a `sub` that is the address of another user.
  const email = normalizeEmail(id) ?? undefined
  return account === undefined || account === email ? email : undefined
}

/** Whether an account belongs to a user, and not to a machine. */
export async function isUser(subject: string): Promise<boolean> {
  return (await readAddress(subject)) !== undefined
}

async function readAddress(subject: string): Promise<string | undefined> {
  const [row] = await addressOfSubject.all([subject, accountIssuer])
  return row?.email
}
