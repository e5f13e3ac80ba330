import { createUsers } from '#app/profiles/actions/create_users'
import User from '#app/profiles/models/user'

/** Finds or creates user records, by address. */
export async function ensureUsers(emails: string[]): Promise<Map<string, User>> {
  // A fixed order prevents concurrent requests from waiting for each other.
  const wanted = [...new Set(emails)].sort()
  const known = await findUsers(wanted)
  const missing = wanted.filter((email) => !known.has(email))
  if (missing.length === 0) return known
  await createUsers(missing)
  return new Map([...known, ...(await findUsers(missing))])
}

async function findUsers(emails: string[]) {
  const users = emails.length === 0 ? [] : await User.query().whereIn('email', emails)
  return new Map(users.map((user) => [user.email, user]))
}
