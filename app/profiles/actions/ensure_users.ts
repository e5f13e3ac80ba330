import { createUsers, newUsers } from '#app/profiles/actions/create_users'
import User from '#app/profiles/models/user'

/** Finds or creates user records, by address. */
export async function ensureUsers(emails: string[]): Promise<Map<string, User>> {
  const { known, missing } = await findUsers(emails)
  return new Map([...known, ...(await createUsers(missing))])
}

/** Finds user records, by address; those that are missing are as they would be created. */
export async function findOrImagineUsers(emails: string[]): Promise<Map<string, User>> {
  const { known, missing } = await findUsers(emails)
  const imagined = missing.length === 0 ? [] : await newUsers(missing)
  return new Map([...known, ...imagined.map((user): [string, User] => [user.email, user])])
}

async function findUsers(emails: string[]) {
  // A fixed order prevents concurrent requests from waiting for each other.
  const wanted = [...new Set(emails)].sort()
  const users = wanted.length === 0 ? [] : await User.query().whereIn('email', wanted)
  const known = new Map(users.map((user) => [user.email, user]))
  return { known, missing: wanted.filter((email) => !known.has(email)) }
}
