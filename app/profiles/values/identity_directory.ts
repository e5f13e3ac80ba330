import type { Names } from '#app/profiles/values/names'

/** Names to write: those that change, and always the display name, which the provider does not derive from them. */
export interface DirectoryNames extends Names {
  displayName: string
}

/**
 * The seam to the identity provider for what profiles need of it. Bound in the container; drivers live in the section
 * `identity_provider`.
 */
export abstract class IdentityDirectory {
  /**
   * Writes a person's names at the identity provider. Without a service account names are local only, and this does
   * nothing (profiles.md#names-written-at-the-provider).
   *
   * @throws UpstreamUnreachable when the provider refuses or cannot be reached
   */
  abstract changeNames(userId: string | null, names: DirectoryNames): Promise<void>
}
