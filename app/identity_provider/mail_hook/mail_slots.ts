import { LRUCache } from 'lru-cache'
import { inTurn } from '#core/background/in_turn'
import identityProvider from '#config/identity_provider'

const { difficultForMs, difficultRoundMs, parallel } = identityProvider.mails
const { perBrand, perBrandDifficult, perDomain } = identityProvider.mails

const MOST_REMEMBERED = 10_000

/** Whom a mail is for. */
export interface MailOwner {
  brandId: number
  /** Of the recipient, without subdomains */
  domain: string
}

/**
 * Which stored mails this process sends next. Neither a mail server that hangs nor a domain that
 * keeps it waiting must delay the mails of others
 * (identity-provider.md#delivery-of-a-system-mail).
 */
export class MailSlots {
  readonly #inProgress = new Set<MailOwner>()
  /** Domains of which a round has taken a while, or failed. */
  readonly #difficult = new LRUCache<string, true>({ max: MOST_REMEMBERED, ttl: difficultForMs })

  get free(): number {
    return parallel - this.#inProgress.size
  }

  /** The brands that get no slot now. */
  get fullBrands(): number[] {
    const brands = [...this.#inProgress].map(({ brandId }) => brandId)
    return [...new Set(brands)].filter((brandId) => this.#of(brandId).length >= perBrand)
  }

  /** Those that get slots now, of brands in turn. Those to difficult domains come last. */
  share<Mail extends MailOwner>(due: Mail[]): Mail[] {
    const ofDomains = inTurn(due, {
      group: domainOf,
      taken: (mail) => this.#toDomain(mail).length,
      most: (mail) => (this.#isDifficult(mail) ? 1 : perDomain),
    })
    const [difficult, others] = [true, false].map((isIt) =>
      ofDomains.filter((mail) => this.#isDifficult(mail) === isIt)
    )
    const someDifficult = inTurn(difficult, {
      group: ({ brandId }) => brandId,
      taken: ({ brandId }) => this.#of(brandId).filter((one) => this.#isDifficult(one)).length,
      most: () => perBrandDifficult,
    })
    const ofBrands = inTurn([...others, ...someDifficult], {
      group: ({ brandId }) => brandId,
      taken: ({ brandId }) => this.#of(brandId).length,
      most: () => perBrand,
    })
    return ofBrands.slice(0, this.free)
  }

  /** @returns a function that ends it, and says whether others may have waited for the slot */
  take(owner: MailOwner): (isSent: boolean) => boolean {
    const round = { brandId: owner.brandId, domain: owner.domain }
    this.#inProgress.add(round)
    const startedAt = performance.now()
    return (isSent) => {
      const wasFull =
        this.free <= 0 ||
        this.#of(round.brandId).length >= perBrandDifficult ||
        this.#toDomain(round).length >= (this.#isDifficult(round) ? 1 : perDomain)
      this.#inProgress.delete(round)
      const isDifficult = !isSent || performance.now() - startedAt > difficultRoundMs
      if (isDifficult) this.#difficult.set(domainOf(round), true)
      return wasFull
    }
  }

  #of(brandId: number): MailOwner[] {
    return [...this.#inProgress].filter((round) => round.brandId === brandId)
  }

  #toDomain(owner: MailOwner): MailOwner[] {
    return this.#of(owner.brandId).filter(({ domain }) => domain === owner.domain)
  }

  #isDifficult(owner: MailOwner): boolean {
    return this.#difficult.has(domainOf(owner))
  }
}

const domainOf = ({ brandId, domain }: MailOwner) => `${brandId} ${domain}`
