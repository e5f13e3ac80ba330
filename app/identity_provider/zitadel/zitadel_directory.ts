import { OutboundError } from '#core/network/outbound_error'
import { UnusableResponse } from '#core/network/outbound_json'
import { UpstreamUnreachable } from '#core/exceptions/problems'
import { NameRefused } from '#app/profiles/exceptions'
import { type DirectoryNames, IdentityDirectory } from '#app/profiles/values/identity_directory'
import { withLease } from '#core/database/leases/with_lease'
import { refusalReason } from '#app/identity_provider/zitadel/refusal_reason'
import type { ServiceAccount } from '#app/identity_provider/zitadel/service_account'
import { type ZitadelApi, providerPath } from '#app/identity_provider/zitadel/zitadel_api'

/** Refusals of the service account, of the account, and of the number of calls. */
const NOT_ABOUT_NAMES = [401, 403, 404, 405, 408, 429]

export class ZitadelDirectory extends IdentityDirectory {
  constructor(
    private readonly api: ZitadelApi,
    private readonly account: ServiceAccount
  ) {
    super()
  }

  override async withNamesLocked<T>(userId: string, work: () => Promise<T>): Promise<T> {
    return this.account.isConfigured ? withLease(`names:${userId}`, work) : work()
  }

  override async changeNames(userId: string, names: DirectoryNames): Promise<void> {
    if (!this.account.isConfigured) return
    // Undefined names are left out of the JSON and stay unchanged (zitadel.md#changing-names).
    const profile = {
      givenName: names.firstName === null ? '' : names.firstName,
      familyName: names.lastName === null ? '' : names.lastName,
      displayName: names.displayName,
    }
    try {
      await this.api.call({
        method: 'PATCH',
        path: providerPath`/v2/users/${userId}`,
        body: { human: { profile } },
      })
    } catch (error) {
      throw this.#toProblem(error)
    }
  }

  #toProblem(error: unknown) {
    if (isRefusedName(error)) {
      const reason = refusalReason(error, this.account)
      return new NameRefused({ details: { reason }, cause: error })
    }
    const known = error instanceof OutboundError || error instanceof UnusableResponse
    return new UpstreamUnreachable({
      detail: 'The identity provider did not accept the new names, so nothing was changed',
      details: { reason: known ? error.reason : 'unknown' },
      cause: error,
    })
  }
}

function isRefusedName(error: unknown): error is UnusableResponse {
  if (!(error instanceof UnusableResponse)) return false
  const { status } = error
  return status >= 400 && status <= 499 && !NOT_ABOUT_NAMES.includes(status)
}
