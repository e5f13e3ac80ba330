import type { QueryClientContract } from '@adonisjs/lucid/types/database'

interface ToldFacts {
  active?: { value: boolean }
  removed?: boolean
}

/** What the identity provider has reported about an account, which may not have signed in yet. */
export async function toldOfAccount(subject: string, client: QueryClientContract) {
  const row = await client.from('provider_users').where('idp_user_id', subject).first()
  const facts: ToldFacts =
    typeof row?.facts === 'string' ? JSON.parse(row.facts) : (row?.facts ?? {})
  return { isInactive: facts.active?.value === false, isRemoved: facts.removed === true }
}
