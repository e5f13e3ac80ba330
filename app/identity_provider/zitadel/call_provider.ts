import { UpstreamUnreachable } from '#core/exceptions/problems'
import { OutboundError } from '#core/network/outbound_error'
import { UnusableResponse } from '#core/network/outbound_json'
import {
  beginProviderWrite,
  noteProviderWrite,
} from '#app/identity_provider/zitadel/provider_writes'
import { refusalReason } from '#app/identity_provider/zitadel/refusal_reason'
import { ServiceAccountError } from '#app/identity_provider/zitadel/service_account_error'
import { serviceAccount, zitadel } from '#app/identity_provider/zitadel/zitadel'
import type { ZitadelCall } from '#app/identity_provider/zitadel/zitadel_api'
import {
  ProviderRefused,
  ServiceAccountLacksPermission,
  ServiceAccountNotConfigured,
  ServiceAccountRejected,
} from '#app/identity_provider/exceptions'

export interface ProviderCall extends ZitadelCall {
  /** What the service account needs; named in the problem if it is missing. */
  permission: string
  /** The errors for 404 and 409. */
  missing?: () => Error
  taken?: () => Error
}

/**
 * Turns failures into problems that tell an administrator what to do.
 * @returns null if nothing had to change
 * @throws ServiceAccountNotConfigured, ServiceAccountRejected, ServiceAccountLacksPermission,
 *   ProviderRefused, UpstreamUnreachable, and those of the request
 */
export async function callProvider(question: ProviderCall): Promise<unknown> {
  requireServiceAccount()
  const { permission, missing, taken, ...call } = question
  const isRead = permission.endsWith('.read')
  if (!isRead) await beginProviderWrite()
  try {
    const response = await zitadel.call(call)
    if (!isRead && response !== null) noteProviderWrite()
    return response
  } catch (error) {
    const problem = toProblem(error, question)
    // The response may have been lost.
    if (!isRead && problem instanceof UpstreamUnreachable) noteProviderWrite()
    throw problem
  }
}

/** @throws ServiceAccountNotConfigured */
export function requireServiceAccount() {
  if (!serviceAccount.isConfigured) throw new ServiceAccountNotConfigured()
}

function toProblem(error: unknown, { permission, missing, taken }: ProviderCall): unknown {
  if (error instanceof ServiceAccountError) {
    return new ServiceAccountRejected({ detail: error.message, details: { reason: error.reason } })
  }
  if (error instanceof OutboundError) return unreachable(error.reason, error)
  if (!(error instanceof UnusableResponse)) return error
  switch (error.status) {
    case 400:
      return new ProviderRefused({
        details: { reason: refusalReason(error, serviceAccount) },
        cause: error,
      })
    case 401:
      return new ServiceAccountRejected({ details: { reason: 'token_refused' }, cause: error })
    case 403:
      return new ServiceAccountLacksPermission({
        detail: `The service account lacks the permission ${permission} at the identity provider`,
        details: { permission },
        cause: error,
      })
    case 404:
      return missing?.() ?? unreachable('not_found', error)
    case 409:
      return taken?.() ?? unreachable('conflict', error)
    default:
      return unreachable(error.reason, error)
  }
}

/** For a response that breaks the provider's contract. */
export const unusableResponse = () => unreachable('unusable_response')

const LIST_FAULTS = {
  no_progress: 'a page has only entries of the previous page',
  page_too_large: 'a page has more entries than requested',
  more_than_total: 'it has far more entries than its total',
}

/** For a list that contradicts itself or would not end. */
export function unusableList(reason: keyof typeof LIST_FAULTS) {
  const detail = `A list of the identity provider cannot be used: ${LIST_FAULTS[reason]}`
  return new UpstreamUnreachable({ detail, details: { reason } })
}

function unreachable(reason: string, cause?: unknown) {
  const detail = 'The identity provider could not be reached or returned an invalid response'
  return new UpstreamUnreachable({ detail, details: { reason }, cause })
}
