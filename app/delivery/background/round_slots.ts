import { LRUCache } from 'lru-cache'
import { inTurn } from '#core/background/in_turn'
import type { DueApplication, DueSend, Exceptions } from '#app/delivery/queries/due_pending_sends'
import sendingConfig from '#config/sending'

const { holdMs, parallel, perAccount, perApplication, perApplicationAccount } = sendingConfig
const { failingRecipients, perRecipient, perSlowAccount } = sendingConfig
const { difficultForMs, difficultRoundMs, slowForMs, slowRoundMs } = sendingConfig

const MOST_REMEMBERED = 1_000

/** A round is for a send of an application, with one mail account and to one recipient. */
type Owner = Omit<DueSend, 'id'>

interface InProgress {
  owner: Owner
  count: number
}

/** Of an application with an account, since its last success. */
interface Failures {
  owner: Owner
  /** Since the last pause began */
  recipients: Set<number>
  /** A `performance.now()` timestamp. */
  pausedUntil: number
}

/**
 * Which rounds this process begins. Whoever has fewest in progress comes next. Several servers that
 * hang must not use all slots, so slow accounts get few, and recipients whose mailboxes are slow or
 * refuse mails must not delay those of others (delivery.md#retry-claims).
 */
export class RoundSlots {
  readonly #inProgress = new Map<string, InProgress>()
  /** Applications with accounts of which a round has taken long. */
  readonly #slow = new LRUCache<string, true>({ max: MOST_REMEMBERED, ttl: slowForMs })
  /** Recipients of an application of whom a round has taken a while, or failed. */
  readonly #difficult = new LRUCache<string, Owner>({ max: MOST_REMEMBERED, ttl: difficultForMs })
  readonly #failures = new LRUCache<string, Failures>({ max: MOST_REMEMBERED })

  get free(): number {
    return parallel - this.#inProgress.values().reduce((sum, { count }) => sum + count, 0)
  }

  /** Those that get slots now. */
  shareApplications(due: DueApplication[]): DueApplication[] {
    return this.#inTurnOfApplications(due).slice(0, this.free)
  }

  /** Those that get slots now: no recipient, account or application gets them all. */
  share(due: DueSend[]): DueSend[] {
    const ofRecipients = this.#inTurnOf(recipientOf, due, (send) => this.#mostTo(send))
    const limited = this.#limitDifficult(ofRecipients)
    const ofBoth = this.#inTurnOf(accountOfApplication, limited, (send) => this.#mostOf(send))
    const ofAccounts = this.#inTurnOf(accountOf, ofBoth, () => perAccount)
    return this.#inTurnOfApplications(ofAccounts).slice(0, this.free)
  }

  /** With which accounts and for whom the application begins no round now. */
  busyFor(applicationId: number): Exceptions {
    const owners = [...this.#inProgress.values()].map(({ owner }) => owner)
    const own = owners.filter((owner) => owner.applicationId === applicationId)
    const counts = {
      accounts: this.#countBy(accountOf),
      accountsOfApplication: this.#countBy(accountOfApplication),
      recipients: this.#countBy(recipientOf),
    }
    const full = own.filter(
      (owner) =>
        counts.accountsOfApplication.get(accountOfApplication(owner))! >= this.#mostOf(owner)
    )
    const fullForAll = owners.filter(
      (owner) => counts.accounts.get(accountOf(owner))! >= perAccount
    )
    const accounts = [...full, ...fullForAll, ...this.#pausedOf(applicationId)].map(accountOf)
    const recipients = own
      .filter((owner) => counts.recipients.get(recipientOf(owner))! >= this.#mostTo(owner))
      .map(({ recipientId }) => recipientId)
    return { accounts: [...new Set(accounts)], recipients: [...new Set(recipients)] }
  }

  /** Recipients who come after all others of the application. */
  difficultOf(applicationId: number): number[] {
    return [...this.#difficult.values()]
      .filter((owner) => owner.applicationId === applicationId)
      .map(({ recipientId }) => recipientId)
  }

  take({ applicationId, account, recipientId }: Owner) {
    const owner = { applicationId, account, recipientId }
    const count = (this.#inProgress.get(nameOf(owner))?.count ?? 0) + 1
    this.#inProgress.set(nameOf(owner), { owner, count })
  }

  /**
   * @param round pauses the account for this application if rounds of several recipients failed
   * @param tookMs how long the round took
   * @returns whether others may have waited for the slot
   */
  release(used: Owner, round: Round, tookMs: number): boolean {
    const { applicationId, account, recipientId } = used
    const owner = { applicationId, account, recipientId }
    const wasFull =
      this.free <= 0 ||
      this.#countBy(recipientOf).get(recipientOf(owner))! >= this.#mostTo(owner) ||
      this.#countBy(accountOfApplication).get(accountOfApplication(owner))! >=
        this.#mostOf(owner) ||
      this.#countBy(accountOf).get(accountOf(owner))! >= perAccount ||
      this.#countBy(applicationOf).get(applicationId)! >= perApplication
    const { count } = this.#inProgress.get(nameOf(owner))!
    if (count > 1) this.#inProgress.set(nameOf(owner), { owner, count: count - 1 })
    else this.#inProgress.delete(nameOf(owner))
    if (round === 'passed') this.#failures.delete(accountOfApplication(owner))
    if (round === 'failed') this.#addFailure(owner)
    if (round === 'failed' || tookMs > difficultRoundMs) {
      this.#difficult.set(recipientOf(owner), owner)
    }
    if (tookMs > slowRoundMs) this.#slow.set(accountOfApplication(owner), true)
    return wasFull
  }

  /** Recipients with difficulties come last, and leave one slot of their account to others. */
  #limitDifficult(due: DueSend[]): DueSend[] {
    const isDifficult = (owner: Owner) => this.#difficult.has(recipientOf(owner))
    const counts = this.#countBy((owner) => isDifficult(owner) && accountOfApplication(owner))
    const difficult = inTurn(due.filter(isDifficult), {
      group: accountOfApplication,
      taken: (send) => counts.get(accountOfApplication(send)) ?? 0,
      most: (send) => this.#mostOf(send) - 1,
    })
    return [...due.filter((send) => !isDifficult(send)), ...difficult]
  }

  /** One recipient says nothing about the others, but several do. */
  #addFailure(owner: Owner) {
    const name = accountOfApplication(owner)
    const failures = this.#failures.get(name) ?? { owner, recipients: new Set(), pausedUntil: 0 }
    failures.recipients.add(owner.recipientId)
    if (failures.recipients.size >= failingRecipients) {
      failures.recipients.clear()
      failures.pausedUntil = performance.now() + holdMs
    }
    this.#failures.set(name, failures)
  }

  #pausedOf(applicationId: number): Owner[] {
    const now = performance.now()
    return [...this.#failures.values()].flatMap(({ owner, pausedUntil }) =>
      owner.applicationId === applicationId && pausedUntil > now ? [owner] : []
    )
  }

  #mostOf(owner: Owner): number {
    return this.#slow.has(accountOfApplication(owner)) ? perSlowAccount : perApplicationAccount
  }

  #mostTo(owner: Owner): number {
    return this.#difficult.has(recipientOf(owner)) ? 1 : perRecipient
  }

  #inTurnOfApplications<Due extends DueApplication>(due: Due[]): Due[] {
    const counts = this.#countBy(applicationOf)
    return inTurn(due, {
      group: applicationOf,
      taken: ({ applicationId }) => counts.get(applicationId) ?? 0,
      most: () => perApplication,
    })
  }

  #inTurnOf(
    group: (owner: Owner) => unknown,
    due: DueSend[],
    most: (send: DueSend) => number
  ): DueSend[] {
    const counts = this.#countBy(group)
    return inTurn(due, { group, taken: (send) => counts.get(group(send)) ?? 0, most })
  }

  #countBy<Key>(keyOf: (owner: Owner) => Key): Map<Key, number> {
    const counts = new Map<Key, number>()
    for (const { owner, count } of this.#inProgress.values()) {
      counts.set(keyOf(owner), (counts.get(keyOf(owner)) ?? 0) + count)
    }
    return counts
  }
}

/** `none` if its server was not asked, which says nothing about others of the account. */
export type Round = 'passed' | 'failed' | 'none'

const applicationOf = ({ applicationId }: DueApplication) => applicationId
const accountOf = ({ account }: Pick<Owner, 'account'>) => account
const accountOfApplication = ({ applicationId, account }: Owner) => `${applicationId} ${account}`
const recipientOf = ({ applicationId, recipientId }: Owner) => `${applicationId} ${recipientId}`
const nameOf = ({ applicationId, recipientId, account }: Owner) =>
  `${applicationId} ${recipientId} ${account}`
