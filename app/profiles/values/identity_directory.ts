import type { NameEdits } from '#app/profiles/values/names'

/** The provider does not derive the display name from the other names. */
export interface DirectoryNames extends NameEdits {
  displayName: string
}

/** The interface through which profiles reach the identity provider; bound in the container. */
export abstract class IdentityDirectory {
  /**
   * Does nothing without a service account (profiles.md#names-written-at-the-provider).
   *
   * @throws UpstreamUnreachable
   */
  abstract changeNames(userId: string | null, names: DirectoryNames): Promise<void>
}
