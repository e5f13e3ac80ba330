import { type DevelopmentAccount, DEVELOPMENT_ACCOUNTS, accountFor, isUserId } from './accounts.ts'
import type { ChangedNames, Names } from './changed_names.ts'

/** The accounts seen so far, with their current names. */
export class AccountDirectory {
  readonly #accounts = new Map(DEVELOPMENT_ACCOUNTS.map((account) => [account.userId, account]))

  constructor(private readonly names: ChangedNames) {}

  /** @throws TypeError if the text is not an e-mail address */
  byEmail(text: string): DevelopmentAccount {
    const account = accountFor(text)
    this.#accounts.set(account.userId, account)
    return this.#withNames(account)
  }

  byId(userId: string): DevelopmentAccount | undefined {
    const account = this.#accounts.get(userId)
    return account && this.#withNames(account)
  }

  /**
   * Accepts any well-formed id, because tokens may name accounts that never signed in here.
   * @returns whether such an account can exist
   */
  rename(userId: string, names: Partial<Names>): boolean {
    if (!isUserId(userId)) return false
    this.names.change(userId, names)
    return true
  }

  #withNames(account: DevelopmentAccount) {
    return { ...account, ...this.names.of(account.userId) }
  }
}
