import { OutboundError } from '#core/network/outbound_error'
import { UnusableResponse } from '#core/network/outbound_json'
import { UpstreamUnreachable } from '#core/exceptions/problems'
import { type DirectoryNames, IdentityDirectory } from '#app/profiles/values/identity_directory'
import type { ServiceAccount } from '#app/identity_provider/zitadel/service_account'
import { type ZitadelApi, providerPath } from '#app/identity_provider/zitadel/zitadel_api'

export class ZitadelDirectory extends IdentityDirectory {
  constructor(
    private readonly api: ZitadelApi,
    private readonly account: ServiceAccount
  ) {
    super()
  }

  override async changeNames(userId: string | null, names: DirectoryNames): Promise<void> {
    if (!this.account.isConfigured || userId === null) return
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
      throw toProblem(error)
    }
  }
}

function toProblem(error: unknown) {
  const known = error instanceof OutboundError || error instanceof UnusableResponse
  return new UpstreamUnreachable({
    detail: 'The identity provider did not accept the new names, so nothing was changed',
    details: { reason: known ? error.reason : 'unknown' },
    cause: error,
  })
}
