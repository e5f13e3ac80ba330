import type { DateTime } from 'luxon'
import db from '@adonisjs/lucid/services/db'
import { applyNames } from '#app/profiles/actions/apply_names'
import { ensureUser } from '#app/profiles/actions/ensure_user'
import type User from '#app/profiles/models/user'
import { type Names, namesDiffer } from '#app/profiles/values/names'

export interface TokenIdentity {
  email: string
  subject: string
  organisationId: string | null
  names: Names
  issuedAt: DateTime
}

/** Reads the caller's record and updates it from the token. */
export async function ensureCaller(identity: TokenIdentity): Promise<User> {
  const { email, subject, organisationId, names, issuedAt } = identity
  const user = await ensureUser({ email })
  if (organisationId !== null && user.idpUserId === subject && user.idpOrgId !== organisationId) {
    await user.merge({ idpOrgId: organisationId }).save()
  }
  // Most tokens carry the known names, which unlike an event reports no change.
  if (namesDiffer(user, names)) {
    await applyNames(user, { names, changedAt: issuedAt }, db.connection())
  }
  return user
}
