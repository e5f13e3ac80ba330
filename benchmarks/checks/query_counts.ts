import { ask } from './agreement.ts'
import type { Candidate } from './candidates.ts'
import { nextMessage } from '../world/processes.ts'
import type { Concierge } from './worlds.ts'

/** All of them fit into the cache, even if each requests a hundred decisions. */
const REQUESTS = 40

/** Background work also queries, now and then. The lowest count is without it. */
const COUNTS = 7

/** Database queries per request, for each check of this service. Disturbs measurements. */
export async function countQueries(candidates: Candidate[]): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const candidate of candidates) {
    if (!candidate.concierge) continue
    const counted: number[] = []
    while (counted.length < COUNTS) counted.push(await countOnce(candidate, candidate.concierge))
    counts.set(candidate.id, Math.min(...counted) / REQUESTS)
  }
  return counts
}

async function countOnce(candidate: Candidate, { url, child }: Concierge): Promise<number> {
  await fetch(`${url}/api/check/cache/clear`, { method: 'POST' })
  if (candidate.kind === 'cached') await askAll(candidate)
  child.send({ kind: 'count_queries' })
  await nextMessage(child, 'counting')
  await askAll(candidate)
  const counted = nextMessage<{ count: number }>(child, 'queries')
  child.send({ kind: 'finish_counting' })
  return (await counted).count
}

async function askAll(candidate: Candidate) {
  for (let index = 0; index < REQUESTS; index++) await ask(candidate, index)
}
