import { ask } from './agreement.ts'
import type { Candidate } from './candidates.ts'
import { nextMessage } from './processes.ts'

/** All of them fit into the cache, even if each requests a hundred decisions. */
const REQUESTS = 40

/** Database queries per request, for each check of this service. Disturbs measurements. */
export async function countQueries(candidates: Candidate[]): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const candidate of candidates) {
    const { concierge, kind } = candidate
    if (!concierge) continue
    await fetch(`${concierge.url}/api/check/cache/clear`, { method: 'POST' })
    if (kind === 'cached') await askAll(candidate)
    concierge.child.send({ kind: 'count_queries' })
    await nextMessage(concierge.child, 'counting')
    await askAll(candidate)
    const counted = nextMessage<{ count: number }>(concierge.child, 'queries')
    concierge.child.send({ kind: 'finish_counting' })
    counts.set(candidate.id, (await counted).count / REQUESTS)
  }
  return counts
}

async function askAll(candidate: Candidate) {
  for (let index = 0; index < REQUESTS; index++) await ask(candidate, index)
}
