import { DateTime } from 'luxon'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import ErasedIdentity from '#app/profiles/models/erased_identity'
import type { NameChanges, Names } from '#app/profiles/values/names'

interface ReportedFacts {
  active?: { value: boolean }
  removed?: boolean
  /** `at` begins with the time of the event. */
  names?: { [name in keyof Names]?: { value: string; at: string } }
}

/**
 * What the identity provider has reported about an account, which may not have signed in yet. Of an
 * erased one only its status is known (profiles.md#after-an-erasure).
 */
export async function readReportedState(subject: string, client: QueryClientContract) {
  const row = await client.from('provider_users').where('idp_user_id', subject).first()
  const facts: ReportedFacts =
    (typeof row?.facts === 'string' ? JSON.parse(row.facts) : row?.facts) ??
    (await readErasedFacts(subject, client))
  return {
    isInactive: facts.active?.value === false,
    isRemoved: facts.removed === true,
    names: datedNames(facts),
  }
}

async function readErasedFacts(subject: string, client: QueryClientContract) {
  const erased = await ErasedIdentity.findAccount(subject, client)
  return erased ? { active: { value: erased.active }, removed: erased.removed } : {}
}

function datedNames({ names = {} }: ReportedFacts): NameChanges {
  const dated = Object.entries(names).map(([name, { value, at }]) => {
    return [name, { value, changedAt: DateTime.fromISO(at.split('/')[0], { zone: 'utc' }) }]
  })
  return Object.fromEntries(dated)
}
