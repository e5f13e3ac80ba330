import type { DateTime } from 'luxon'
import db from '@adonisjs/lucid/services/db'
import { applyNames } from '#app/profiles/actions/apply_names'
import { ensureUser } from '#app/profiles/actions/ensure_user'
import type User from '#app/profiles/models/user'
import { type Names, differFrom } from '#app/profiles/values/names'

/** The part of a verified token that profiles rest on. */
export interface TokenIdentity {
  email: string
  subject: string
  organisationId: string | null
  names: Names
  issuedAt: DateTime
}

/**
 * The caller's own record, which the token guard has bound, reconciled with a token newer than its
 * names.
 */
export async function ensureCaller(identity: TokenIdentity): Promise<User> {
  const { email, subject, organisationId, names, issuedAt } = identity
  const user = await ensureUser({ email })
  if (organisationId !== null && user.idpUserId === subject && user.idpOrgId !== organisationId) {
    await user.merge({ idpOrgId: organisationId }).save()
  }
  // Unlike an event, a token with the known names reports no change, and most requests carry one.
  if (differFrom(user, names)) {
    await applyNames(user, { names, changedAt: issuedAt }, db.connection())
  }
  return user
}
