import { createHash, timingSafeEqual } from 'node:crypto'
import { DEVELOPMENT_ORGANISATION } from './accounts.ts'
import { IdentityProviderApi } from './api/api.ts'
import type { State } from './api/state.ts'
import type { StateFile } from './state_file.ts'

/** The API of the development provider. Its service account has all permissions. */
export class DevelopmentApi extends IdentityProviderApi {
  override readonly ownOrganisation = DEVELOPMENT_ORGANISATION.id

  constructor(
    private readonly file: StateFile,
    private readonly serviceAccountToken: string | undefined,
    override readonly origin: string
  ) {
    super()
  }

  protected override accepts(authorization: string | undefined) {
    const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
    if (!this.serviceAccountToken || !token) return false
    const digest = (text: string) => createHash('sha256').update(text).digest()
    return timingSafeEqual(digest(token), digest(this.serviceAccountToken))
  }

  protected override read() {
    return this.file.read()
  }

  protected override save(state: State) {
    this.file.save(state)
  }
}
