import type { QueryClientContract } from '@adonisjs/lucid/types/database'

interface ReportedFacts {
  active?: { value: boolean }
  removed?: boolean
}

/** What the identity provider has reported about an account, which may not have signed in yet. */
export async function readReportedState(subject: string, client: QueryClientContract) {
  const row = await client.from('provider_users').where('idp_user_id', subject).first()
  const facts: ReportedFacts =
    typeof row?.facts === 'string' ? JSON.parse(row.facts) : (row?.facts ?? {})
  return { isInactive: facts.active?.value === false, isRemoved: facts.removed === true }
}
