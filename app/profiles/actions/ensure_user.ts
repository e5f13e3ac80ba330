import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { applyNames } from '#app/profiles/actions/apply_names'
import { createUsers } from '#app/profiles/actions/create_users'
import User from '#app/profiles/models/user'
import type { DatedNames } from '#app/profiles/values/names'

export interface KnownIdentity {
  email: string
}

/** Finds or creates a user record, without binding it (profiles.md#lazy-creation). */
export async function ensureUser(
  identity: KnownIdentity,
  names?: DatedNames,
  client: QueryClientContract = db.connection()
): Promise<User> {
  const user =
    (await User.findBy({ email: identity.email }, { client })) ??
    (await createUser(identity, client))
  if (names) await applyNames(user, names, client)
  return user
}

export async function createUser({ email }: KnownIdentity, client: QueryClientContract) {
  const created = await createUsers([email], client)
  return created.get(email)!
}
