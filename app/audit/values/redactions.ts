import type AuditEntry from '#app/audit/models/audit_entry'
import { parseRanges } from '#app/audit/values/ranges'

type Range = [first: number, last: number]

/** The places of the entries that an erasure redacted; empty for any other entry. */
export function namedRanges({ action, stateAfter }: AuditEntry): Range[] {
  if (action !== 'user.erased' || stateAfter === null) return []
  const { redacted } = JSON.parse(stateAfter) as { redacted?: unknown }
  return typeof redacted === 'string' ? parseRanges(redacted) : []
}

/** Which entries were redacted, and which ones the erasures name. */
export class Redactions {
  #redacted: number[] = []
  readonly #named: Range[] = []

  /** @param entry one that has its place in the chain */
  add(entry: AuditEntry) {
    if (entry.redacted) this.#redacted.push(entry.sequence!)
    // Anyone could have changed what a redacted entry names. A later erasure names that, too.
    if (!entry.redacted) this.#named.push(...namedRanges(entry))
  }

  /** These entries no longer exist, and perhaps neither do the erasures that explain them. */
  forgetUntil(sequence: number) {
    this.#redacted = this.#redacted.filter((each) => each > sequence)
  }

  /** The first entry that was redacted although no erasure names it. */
  firstUnexplained(): number | null {
    const isNamed = (sequence: number) =>
      this.#named.some(([first, last]) => first <= sequence && sequence <= last)
    return this.#redacted.find((sequence) => !isNamed(sequence)) ?? null
  }
}
