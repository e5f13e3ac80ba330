import type { DateTime } from 'luxon'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import db from '@adonisjs/lucid/services/db'
import { transaction } from '#core/database/transaction'
import { mayWrite } from '#core/database/writing_nothing'
import { applyNames } from '#app/profiles/actions/apply_names'
import { ensureUser } from '#app/profiles/actions/ensure_user'
import type User from '#app/profiles/models/user'
import { type Names, type StoredNames, namesDiffer } from '#app/profiles/values/names'

export interface TokenIdentity {
  email: string
  subject: string
  organisationId: string | null
  names: Names
  issuedAt: DateTime
}

type KnownRecord = StoredNames & { idpUserId: string | null; idpOrgId: string | null }

/** Reads the caller's record and updates it from the token. */
export function ensureCaller(identity: TokenIdentity): Promise<User> {
  // Most requests change nothing, and a transaction would wait for the single writer of SQLite.
  if (mayWrite()) return updateCaller(identity, db.connection())
  return transaction((trx) => updateCaller(identity, trx))
}

async function updateCaller(identity: TokenIdentity, client: QueryClientContract): Promise<User> {
  const { email, organisationId, names, issuedAt } = identity
  const user = await ensureUser({ email }, undefined, client)
  if (hasMoved(user, identity)) await user.merge({ idpOrgId: organisationId }).save()
  // Most tokens carry the known names. Unlike an event, that is not a change.
  if (namesDiffer(user, names)) {
    await applyNames(user, { names, changedAt: issuedAt }, client)
  }
  return user
}

/** Whether `ensureCaller` would change the record. */
export const differsFromToken = (known: KnownRecord, identity: TokenIdentity): boolean =>
  hasMoved(known, identity) || namesDiffer(known, identity.names)

/** Whether the account of the record now belongs to another organisation. */
function hasMoved({ idpUserId, idpOrgId }: KnownRecord, identity: TokenIdentity): boolean {
  const { subject, organisationId } = identity
  return organisationId !== null && idpUserId === subject && idpOrgId !== organisationId
}
