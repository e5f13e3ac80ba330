import { ensureUser } from '#app/profiles/actions/ensure_user'
import type { Names } from '#app/profiles/values/names'
import type { DateTime } from 'luxon'

/** The part of a verified token that profiles rest on. */
export interface TokenIdentity {
  email: string
  subject: string
  organisationId: string | null
  names: Names
  issuedAt: DateTime
}

/** The caller's own record, created when missing and reconciled with a token newer than its names (2.1, rule 4). */
export function ensureCaller({ email, subject, organisationId, names, issuedAt }: TokenIdentity) {
  return ensureUser(
    { email, idpUserId: subject, idpOrgId: organisationId },
    { names, changedAt: issuedAt }
  )
}
