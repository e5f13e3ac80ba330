import { type DevelopmentAccount, DEVELOPMENT_ACCOUNTS, accountFor } from './accounts.ts'
import type { StoredUser } from './api/state.ts'
import type { StateFile } from './state_file.ts'
import { userOf } from './user_of.ts'

/** The accounts that sign in, with their current names. */
export class AccountDirectory {
  constructor(private readonly file: StateFile) {}

  /**
   * Creates the account if it is new.
   * @throws TypeError if the text is not an e-mail address
   */
  byEmail(text: string): DevelopmentAccount {
    const account = accountFor(text)
    const state = this.file.read()
    const user = state.users.get(account.userId)
    if (user) return accountOf(user)
    state.users.set(account.userId, userOf(account))
    this.file.save(state)
    return account
  }

  byId(userId: string): DevelopmentAccount | undefined {
    const user = this.file.read().users.get(userId)
    return user && accountOf(user)
  }
}

function accountOf({ userId, email, state, profile }: StoredUser): DevelopmentAccount {
  const readyMade = DEVELOPMENT_ACCOUNTS.find((account) => account.userId === userId)
  return {
    ...(readyMade ?? accountFor(email)),
    ...profile,
    isActive: state === 'ACTIVE' || state === 'INITIAL',
  }
}
