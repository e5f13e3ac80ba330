import db from '@adonisjs/lucid/services/db'
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
 * Verifies the chain from the oldest entry that is left to its end (audit.md#verification). In the
 * meantime, entries can get their places, and be removed from the beginning.
 *
 * @param known a head that was kept elsewhere
 */
export async function verifyChain(known?: ChainPosition): Promise<ChainReport> {
  const report: ChainReport = { first: null, last: null, fault: null }
  try {
    const redactions = new Redactions()
    const chain = await walk({
      begin(beginning) {
        requireGenuineCheckpoint(beginning)
        requireWithin(beginning, known)
        requireSameHash(beginning.checkpoint, known)
        redactions.forgetUntil(beginning.checkpoint.sequence)
        report.first = null
      },
      visit(position, entry) {
        redactions.add(entry)
        requireSameHash(position, known)
        report.first ??= position.sequence
        report.last = position.sequence
      },
    })
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

interface Visitor {
  /** Starts at the checkpoint, and again if retention removes entries that were not visited yet. */
  begin(chain: AuditChain): void
  visit(position: ChainPosition, entry: AuditEntry): void
}

/** Visits each entry up to the head. @returns the chain as it was at the beginning */
async function walk({ begin, visit }: Visitor): Promise<AuditChain> {
  let chain = await AuditChain.current()
  begin(chain)
  let position = chain.checkpoint
  while (position.sequence < chain.sequence) {
    const entries = await entriesAfter(position, chain)
    if (entries[0]?.sequence !== position.sequence + 1) {
      chain = await requireRemoved(position)
      begin(chain)
      position = chain.checkpoint
      continue
    }
    for (const entry of entries) {
      position = nextPosition(position, entry)
      visit(position, entry)
    }
  }
  if (position.hash !== chain.hash) {
    throw new ChainBroken(
      'head',
      position.sequence,
      'The stored head does not match the last entry'
    )
  }
  return chain
}

function entriesAfter({ sequence }: ChainPosition, chain: AuditChain) {
  return AuditEntry.query()
    .where('sequence', '>', sequence)
    .where('sequence', '<=', chain.sequence)
    .orderBy('sequence')
    .limit(BATCH)
}

/** @throws ChainBroken unless retention has removed what comes next; @returns the chain since */
async function requireRemoved(position: ChainPosition): Promise<AuditChain> {
  const chain = await AuditChain.current()
  if (chain.checkpoint.sequence > position.sequence) return chain
  throw missingAfter(position)
}

function nextPosition(previous: ChainPosition, entry: AuditEntry): ChainPosition {
  const sequence = previous.sequence + 1
  if (entry.sequence !== sequence) throw missingAfter(previous)
  // A redacted entry no longer has its first hash, but the entries after it still cover that one.
  const hash = entry.redacted ? entry.hash! : chainedHash(previous.hash, entry)
  if (entry.hash !== hash) throw new ChainBroken('altered', sequence, 'The entry was altered')
  return { sequence, hash }
}

/** Erasures that got their places in the meantime, or have none yet. */
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
  throw new ChainBroken(
    'altered',
    sequence,
    'The entry was redacted, but no erasure accounts for it'
  )
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
  throw new ChainBroken('head', sequence, 'The chain does not match the given head')
}

/**
 * Entries get their places while the chain is verified, and retention removes its beginning, so one
 * statement reads both the chain and what is outside it.
 */
async function requireNothingAdded() {
  const outside = await AuditEntry.query()
    .where('sequence', '<=', db.from('audit_chain').select('checkpoint_sequence'))
    .orWhere('sequence', '>', db.from('audit_chain').select('sequence'))
    .orderBy('sequence')
    .first()
  if (outside === null) return
  throw new ChainBroken('added', outside.sequence!, 'The entry was added outside the chain')
}
