import type AuditEntry from '#app/audit/models/audit_entry'
import { parseRanges } from '#app/audit/values/ranges'

/** Which entries were redacted, and which ones the erasures name. */
export class Redactions {
  readonly #redacted: number[] = []
  readonly #named: [first: number, last: number][] = []

  /** @param entry one that has its place in the chain */
  add(entry: AuditEntry) {
    if (entry.redacted) this.#redacted.push(entry.sequence!)
    if (entry.action !== 'user.erased' || entry.redacted || entry.stateAfter === null) return
    const { redacted } = JSON.parse(entry.stateAfter) as { redacted?: unknown }
    if (typeof redacted === 'string') this.#named.push(...parseRanges(redacted))
  }

  /** The first entry that was redacted although no erasure names it. */
  firstUnexplained(): number | null {
    const isNamed = (sequence: number) =>
      this.#named.some(([first, last]) => first <= sequence && sequence <= last)
    return this.#redacted.find((sequence) => !isNamed(sequence)) ?? null
  }
}
