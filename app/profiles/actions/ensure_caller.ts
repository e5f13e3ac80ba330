import type { DateTime } from 'luxon'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import db from '@adonisjs/lucid/services/db'
import { transaction } from '#core/database/transaction'
import { mayWrite } from '#core/database/writing_nothing'
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
export function ensureCaller(identity: TokenIdentity): Promise<User> {
  // Not in a transaction as a rule: most requests write nothing, and SQLite has a single writer.
  if (mayWrite()) return reconcile(identity, db.connection())
  return transaction((trx) => reconcile(identity, trx))
}

async function reconcile(identity: TokenIdentity, client: QueryClientContract): Promise<User> {
  const { email, subject, organisationId, names, issuedAt } = identity
  const user = await ensureUser({ email }, undefined, client)
  if (organisationId !== null && user.idpUserId === subject && user.idpOrgId !== organisationId) {
    await user.merge({ idpOrgId: organisationId }).save()
  }
  // Unlike an event, a token with the known names reports no change, and most requests carry one.
  if (differFrom(user, names)) {
    await applyNames(user, { names, changedAt: issuedAt }, client)
  }
  return user
}
