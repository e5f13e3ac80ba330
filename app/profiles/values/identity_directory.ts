/** A person's names as the identity provider keeps them. */
export interface DirectoryNames {
  firstName: string | null
  lastName: string | null
  displayName: string
}

/**
 * The seam to the identity provider for what profiles need of it. Bound in the container; drivers live in the section
 * `identity_provider`.
 */
export abstract class IdentityDirectory {
  /**
   * Writes a person's names at the identity provider. Without a service account names are local only, and this does
   * nothing (decisions 3.3).
   *
   * @throws UpstreamUnreachable when the provider refuses or cannot be reached
   */
  abstract changeNames(userId: string | null, names: DirectoryNames): Promise<void>
}
