import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { findAffectedUsers } from '#app/checks/queries/find_affected_users'
import { readRights } from '#app/checks/queries/read_rights'
import type { Definitions, Differences } from '#app/checks/previews/definitions'
import { PREVIEW_LIMITS, requireWithin } from '#app/checks/previews/preview_too_large'
import type { Rights } from '#app/checks/previews/rights'

/** Users whose rights are read at once. */
const BATCH = 1_000

/** Reads the rights of any number of users, within the limits of a preview. */
export class RightsReader {
  #overrides = 0

  constructor(
    private readonly applicationId: number,
    /** In milliseconds. */
    private readonly now: number,
    private readonly trx: TransactionClientContract
  ) {}

  /**
   * Finds users who are affected by changed definitions.
   *
   * @param known users to leave out
   * @throws PreviewTooLarge
   */
  async find(differences: Differences, known: Set<string>): Promise<string[]> {
    const { applicationId, now } = this
    const limit = PREVIEW_LIMITS.users + 1
    const found = await findAffectedUsers(differences, { applicationId, limit, now }, this.trx)
    requireWithin('users', found.length)
    return found.filter((email) => !known.has(email))
  }

  /** Reads everything that users have. @throws PreviewTooLarge */
  readAll(emails: string[], { permissions, grants }: Definitions): Promise<Rights[]> {
    return this.read(emails, [...grants.keys()], [...permissions.keys()])
  }

  /**
   * @param roleIds that matter
   * @param permissionIds whose overrides matter
   * @throws PreviewTooLarge
   */
  async read(emails: string[], roleIds: number[], permissionIds: number[]): Promise<Rights[]> {
    requireWithin('users', emails.length)
    const { applicationId, now } = this
    const found: Rights[] = []
    for (let start = 0; start < emails.length; start += BATCH) {
      const limit = PREVIEW_LIMITS.overrides + 1 - this.#overrides
      const batch = await readRights(
        emails.slice(start, start + BATCH),
        { applicationId, roleIds, permissionIds, limit, now },
        this.trx
      )
      for (const { overrides } of batch) this.#overrides += overrides.length
      requireWithin('overrides', this.#overrides)
      found.push(...batch)
      await nextTurn()
    }
    return found
  }
}
