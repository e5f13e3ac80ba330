import type { NameEdits } from '#app/profiles/values/names'

/** The provider does not derive the display name from the other names. */
export interface DirectoryNames extends NameEdits {
  displayName: string
}

/**
 * The interface through which profiles reach the identity provider; bound in the container. Does
 * nothing without a service account (profiles.md#names-written-at-the-provider).
 */
export abstract class IdentityDirectory {
  /**
   * Runs `work` while no other request changes the names of this account.
   * @throws AlreadyAtWork if others take too long
   */
  abstract withNamesLocked<T>(userId: string, work: () => Promise<T>): Promise<T>

  /** @throws NameRefused, UpstreamUnreachable */
  abstract changeNames(userId: string, names: DirectoryNames): Promise<void>
}
