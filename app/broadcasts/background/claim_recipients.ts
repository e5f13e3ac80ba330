import { type ClaimedRow, claimStatements } from '#app/broadcasts/queries/claim_statements'
import broadcastsConfig from '#config/broadcasts'

/** Smaller batches for recipients abandoned more often isolate one that crashes the process. */
const DUE_BATCHES = [
  { from: 0, to: 0, limit: broadcastsConfig.claimSize },
  { from: 1, to: 1, limit: 10 },
  { from: 2, to: 2 ** 31 - 1, limit: 1 },
]

/** The last recipient claimed per broadcast, so that a claim need not scan those before it. */
const lastClaimedIds = new Map<number, number>()

/**
 * Returns due retries first and abandoned recipients last.
 *
 * @param rate recipients per second, null for no limit
 */
export async function claimRecipients(id: number, rate: number | null): Promise<ClaimedRow[]> {
  const allowed = rate === null ? broadcastsConfig.claimSize : await grantSlots(id)
  if (allowed === 0) return []
  const [retries, ...abandoned] = DUE_BATCHES
  const claimed = await claimDue(id, allowed, retries)
  if (claimed.length > 0) return claimed
  const fresh = await claimFresh(id, allowed)
  if (fresh.length > 0) return fresh
  for (const part of abandoned) {
    const rows = await claimDue(id, allowed, part)
    if (rows.length > 0) return rows
  }
  return []
}

/** Restarts the scan after recipients were released. */
export function resetClaimPosition(id: number) {
  lastClaimedIds.delete(id)
}

async function grantSlots(id: number) {
  const [row] = await claimStatements().grant.all([id, broadcastsConfig.claimSize])
  return row?.granted ?? 0
}

async function claimFresh(id: number, limit: number): Promise<ClaimedRow[]> {
  const after = lastClaimedIds.get(id) ?? 0
  const rows = await claimStatements().claimFresh.all([id, limit, broadcastsConfig.leaseMs, after])
  if (rows.length > 0) {
    lastClaimedIds.set(id, Math.max(...rows.map((row) => row.id)))
    return rows
  }
  if (after === 0) return []
  resetClaimPosition(id)
  return claimFresh(id, limit)
}

function claimDue(id: number, allowed: number, { from, to, limit }: (typeof DUE_BATCHES)[number]) {
  const { leaseMs } = broadcastsConfig
  const most = Math.min(allowed, limit)
  return claimStatements().claimDue.all([id, most, leaseMs, from, to])
}
