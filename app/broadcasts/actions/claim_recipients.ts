import { type ClaimedRow, claimStatements } from '#app/broadcasts/queries/claim_statements'
import broadcastsConfig from '#config/broadcasts'

/** In smaller and smaller company, the oftener nobody came back: so one that ends the process takes few others along. */
const DUE = [
  { from: 0, to: 0, limit: broadcastsConfig.claim },
  { from: 1, to: 1, limit: 10 },
  // Also those who were to be given up when a process ended once more.
  { from: 2, to: 2 ** 31 - 1, limit: 1 },
]

/** Up to which recipient this process has seen broadcasts claimed: what lies before need not be looked through again. */
const claimedUpTo = new Map<number, number>()

/**
 * Claims recipients of a running broadcast for this process, none when there is nothing to do or the throttle says to
 * wait. Those whose next try is due go first, those that a dead process left behind last.
 *
 * @param rate recipients per second, null for no limit
 */
export async function claimRecipients(id: number, rate: number | null): Promise<ClaimedRow[]> {
  const allowed = rate === null ? broadcastsConfig.claim : await grantedSlots(id)
  if (allowed === 0) return []
  const [tries, ...leftBehind] = DUE
  const claimed = await claimDue(id, allowed, tries)
  if (claimed.length > 0) return claimed
  const fresh = await claimFresh(id, allowed)
  if (fresh.length > 0) return fresh
  for (const part of leftBehind) {
    const rows = await claimDue(id, allowed, part)
    if (rows.length > 0) return rows
  }
  return []
}

/** Recipients were given back: they are to be looked for from the beginning. */
export function resetClaimPosition(id: number) {
  claimedUpTo.delete(id)
}

async function grantedSlots(id: number) {
  const [row] = await claimStatements().grant.all([id, broadcastsConfig.claim])
  return row?.granted ?? 0
}

async function claimFresh(id: number, limit: number): Promise<ClaimedRow[]> {
  const after = claimedUpTo.get(id) ?? 0
  const rows = await claimStatements().claimFresh.all([id, limit, broadcastsConfig.leaseMs, after])
  if (rows.length > 0) {
    claimedUpTo.set(id, Math.max(...rows.map((row) => row.id)))
    return rows
  }
  if (after === 0) return []
  resetClaimPosition(id)
  return claimFresh(id, limit)
}

function claimDue(id: number, allowed: number, { from, to, limit }: (typeof DUE)[number]) {
  const { leaseMs } = broadcastsConfig
  const most = Math.min(allowed, limit)
  return claimStatements().claimDue.all([id, most, leaseMs, from, to])
}
