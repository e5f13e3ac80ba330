import db from '@adonisjs/lucid/services/db'
import { DateTime } from 'luxon'
import { applyListedUser } from '#app/identity_provider/reconciliation/listed_user_facts'
import { synchroniseProviderUser } from '#app/identity_provider/user_lifecycle/synchronise_provider_user'
import User from '#app/profiles/models/user'
import { startAce } from '#tests/helpers/ace'
import { uniqueEmail } from '#tests/helpers/people'
import { ORGANISATION } from '#tests/helpers/provider_events'
import type { IdentityApi } from '#tests/world/identity_api'
import type { StoredUser } from '#development/identity_provider/api/state'

const LONG_AGO = '2026-01-01T00:00:00.000Z'

export interface RunOptions {
  args?: string[]
  settings?: Record<string, string>
}

/** Runs `idp:reconcile --json` on the tests' database. */
export async function reconcile(api: IdentityApi, { args = [], settings = {} }: RunOptions = {}) {
  const account = { IDP_API_URL: api.url, IDP_SERVICE_ACCOUNT_TOKEN: api.personalToken }
  const command = ['idp:reconcile', '--json', ...args]
  const { stdout, code } = await startAce(command, { ...account, ...settings }).finished
  const result = JSON.parse(stdout)
  const changesOf = (email: string): string[] =>
    (result.changes as { email: string; change: string }[])
      .filter((change) => change.email === email)
      .map(({ change }) => change)
  return { code, result, changesOf }
}

/** Applies a list of the provider, read in an hour, in which the account is active. */
export async function applyLaterList(account: string, email: string) {
  const now = DateTime.utc().plus({ hours: 1 })
  const listed = {
    userId: account,
    orgId: ORGANISATION,
    active: true,
    email,
    isVerified: true,
    names: { firstName: 'Ada', lastName: 'Byron' },
    changedAt: now.minus({ hours: 2 }).toISO(),
  }
  await synchroniseProviderUser({
    idpUserId: account,
    updateFacts: (facts) => applyListedUser(facts, listed, { now, isProven: true }),
  })
}

/** An old record, which a run for another organisation does not touch. */
export async function aRecord(fields: Partial<User['$attributes']> = {}): Promise<string> {
  const email = fields.email ?? uniqueEmail()
  await User.create({ email, active: true, theme: 'system', ...fields })
  await db.from('users').where({ email }).update({ updated_at: LONG_AGO, created_at: LONG_AGO })
  return email
}

/** A user of the provider with a record that matches. */
export async function aPerson(
  api: IdentityApi,
  user: Partial<StoredUser> = {},
  record: Partial<User['$attributes']> = {}
) {
  const email = record.email ?? user.email ?? uniqueEmail()
  const stored = api.addUser({ email, ...user })
  await aRecord({
    email,
    idpUserId: stored.userId,
    idpOrgId: stored.orgId,
    firstName: 'Old',
    lastName: 'Name',
    displayName: 'Old Name',
    ...record,
  })
  return { email, stored }
}

export async function userRecordOf(email: string) {
  const user = await User.withEmail(email)
  const { active, idpUserId, idpOrgId, firstName, lastName, displayName } = user
  return { active, idpUserId, idpOrgId, firstName, lastName, displayName }
}
