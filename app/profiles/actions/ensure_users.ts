import { createUsers } from '#app/profiles/actions/create_users'
import User from '#app/profiles/models/user'

/** Finds or creates user records, by address. */
export async function ensureUsers(emails: string[]): Promise<Map<string, User>> {
  // A fixed order prevents concurrent requests from waiting for each other.
  const wanted = [...new Set(emails)].sort()
  if (wanted.length === 0) return new Map()
  const users = await User.query().whereIn('email', wanted)
  const known = new Map(users.map((user) => [user.email, user]))
  const missing = wanted.filter((email) => !known.has(email))
  return new Map([...known, ...(await createUsers(missing))])
}
