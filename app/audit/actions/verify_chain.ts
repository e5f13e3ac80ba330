import AuditChain from '#app/audit/models/audit_chain'
import AuditEntry from '#app/audit/models/audit_entry'
import { Redactions } from '#app/audit/values/redactions'
import { type ChainPosition, chainedHash } from '#app/audit/values/chain'

/** Entries can be large. */
const BATCH = 200

export type ChainFaultKind = 'altered' | 'missing' | 'added' | 'checkpoint' | 'head'

/** The first thing that is wrong with the chain. */
export interface ChainFault {
  kind: ChainFaultKind
  sequence: number
  message: string
}

export interface ChainReport {
  /** The first and the last entry that were verified; null if there is none. */
  first: number | null
  last: number | null
  fault: ChainFault | null
}

class ChainBroken extends Error {
  constructor(
    readonly kind: ChainFaultKind,
    readonly sequence: number,
    message: string
  ) {
    super(message)
  }
}

/**
 * Verifies the chain from the oldest entry that is left to its end (audit.md#verification).
 * @param known a head that was kept elsewhere
 */
export async function verifyChain(known?: ChainPosition): Promise<ChainReport> {
  const report: ChainReport = { first: null, last: null, fault: null }
  try {
    const chain = await AuditChain.current()
    requireGenuineCheckpoint(chain)
    requireWithin(chain, known)
    requireSameHash(chain.checkpoint, known)
    const redactions = new Redactions()
    const end = await walk(chain, (position, entry) => {
      redactions.add(entry)
      requireSameHash(position, known)
      report.first ??= position.sequence
      report.last = position.sequence
    })
    if (end.hash !== chain.hash) {
      throw new ChainBroken('head', end.sequence, 'The stored head has another hash')
    }
    await requireNothingAdded()
    for (const entry of await erasuresAfter(chain)) redactions.add(entry)
    requireExplained(redactions)
  } catch (error) {
    if (!(error instanceof ChainBroken)) throw error
    const { kind, sequence, message } = error
    report.fault = { kind, sequence, message }
  }
  return report
}

/** Visits each entry up to the head. @returns the place of the last one */
async function walk(
  chain: AuditChain,
  visit: (position: ChainPosition, entry: AuditEntry) => void
) {
  let position = chain.checkpoint
  while (position.sequence < chain.sequence) {
    const entries = await AuditEntry.query()
      .where('sequence', '>', position.sequence)
      .where('sequence', '<=', chain.sequence)
      .orderBy('sequence')
      .limit(BATCH)
    for (const entry of entries) {
      position = nextPosition(position, entry)
      visit(position, entry)
    }
    if (entries.length < BATCH) break
  }
  if (position.sequence < chain.sequence) throw missingAfter(position)
  return position
}

function nextPosition(previous: ChainPosition, entry: AuditEntry): ChainPosition {
  const sequence = previous.sequence + 1
  if (entry.sequence !== sequence) throw missingAfter(previous)
  // What is left of a redacted entry has another hash; entries after it still cover the first one.
  const hash = entry.redacted ? entry.hash! : chainedHash(previous.hash, entry)
  if (entry.hash !== hash) throw new ChainBroken('altered', sequence, 'The entry was altered')
  return { sequence, hash }
}

/** Erasures that got their places meanwhile, or have none yet. */
function erasuresAfter(chain: AuditChain) {
  return AuditEntry.query()
    .where('action', 'user.erased')
    .where((query) => query.whereNull('sequence').orWhere('sequence', '>', chain.sequence))
}

const missingAfter = ({ sequence }: ChainPosition) =>
  new ChainBroken('missing', sequence + 1, 'The entry is missing')

function requireExplained(redactions: Redactions) {
  const sequence = redactions.firstUnexplained()
  if (sequence === null) return
  throw new ChainBroken('altered', sequence, 'The entry was redacted, but by no erasure')
}

function requireGenuineCheckpoint(chain: AuditChain) {
  if (chain.isCheckpointGenuine) return
  const message = 'The checkpoint was not set by this service'
  throw new ChainBroken('checkpoint', chain.checkpoint.sequence, message)
}

function requireWithin(chain: AuditChain, known: ChainPosition | undefined) {
  if (known === undefined) return
  if (known.sequence < chain.checkpoint.sequence) {
    const message = 'The given head is older than the entries that are left'
    throw new ChainBroken('head', known.sequence, message)
  }
  if (known.sequence > chain.sequence) throw missingAfter(chain.head)
}

function requireSameHash({ sequence, hash }: ChainPosition, known: ChainPosition | undefined) {
  if (known === undefined || known.sequence !== sequence || known.hash === hash) return
  throw new ChainBroken('head', sequence, 'The chain has another hash than the given head')
}

/** Entries get their places while the chain is verified, so the head is read again, and last. */
async function requireNothingAdded() {
  const newest = await AuditEntry.query()
    .whereNotNull('sequence')
    .orderBy('sequence', 'desc')
    .first()
  const { sequence } = await AuditChain.current()
  if (newest === null || newest.sequence! <= sequence) return
  throw new ChainBroken('added', newest.sequence!, 'The entry was added after the end of the chain')
}
