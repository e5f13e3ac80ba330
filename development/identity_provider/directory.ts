import { type DevelopmentAccount, DEVELOPMENT_ACCOUNTS, accountFor, isUserId } from './accounts.ts'
import type { ChangedNames, Names } from './changed_names.ts'

/** The accounts one provider has seen, with their present names. */
export class AccountDirectory {
  readonly #accounts = new Map(DEVELOPMENT_ACCOUNTS.map((account) => [account.userId, account]))

  constructor(private readonly names: ChangedNames) {}

  /** @throws TypeError when the text is no e-mail address */
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
   * Takes any id of the right form, not only those seen: a minted token names accounts that never signed in here.
   *
   * @returns whether there can be such an account
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
