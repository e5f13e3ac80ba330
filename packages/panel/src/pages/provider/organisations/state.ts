import type { Organisation } from '@/queries/organisations'

/** Its state at the provider, whose names have a prefix. */
export function stateOf({ state }: Organisation): 'active' | 'inactive' | 'unknown' {
  const name = state?.replace(/^ORG(?:ANIZATION)?_STATE_/, '').toLowerCase()
  return name === 'active' || name === 'inactive' ? name : 'unknown'
}
