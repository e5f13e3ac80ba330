import { UpstreamUnreachable } from '#core/exceptions/problems'
import { OutboundError } from '#core/network/outbound_error'
import { UnusableAnswer } from '#core/network/outbound_json'
import { ServiceAccountError } from '#app/identity_provider/admin_api/service_account_error'
import { serviceAccount, zitadel } from '#app/identity_provider/admin_api/zitadel'
import type { ZitadelCall } from '#app/identity_provider/admin_api/zitadel_api'
import {
  ProviderRefused,
  ServiceAccountLacksPermission,
  ServiceAccountNotConfigured,
  ServiceAccountRejected,
} from '#app/identity_provider/exceptions'

export interface ProviderQuestion extends ZitadelCall {
  /** What the service account needs for it; the problem names it when it is missing. */
  permission: string
  /** What it means when the provider knows no such thing, or has it already. */
  missing?: () => Error
  taken?: () => Error
}

/**
 * A call of the identity provider's API on behalf of an administrator: whatever goes wrong becomes a problem that says
 * what to do about it.
 *
 * @returns the provider's answer, null when everything already is as it should become
 * @throws ServiceAccountNotConfigured, ServiceAccountRejected, ServiceAccountLacksPermission, ProviderRefused,
 *   UpstreamUnreachable, and the question's own
 */
export async function askProvider(question: ProviderQuestion): Promise<unknown> {
  requireServiceAccount()
  const { permission, missing, taken, ...call } = question
  try {
    return await zitadel.call(call)
  } catch (error) {
    throw problemOf(error, question)
  }
}

/** @throws ServiceAccountNotConfigured */
export function requireServiceAccount() {
  if (!serviceAccount.isConfigured) throw new ServiceAccountNotConfigured()
}

function problemOf(error: unknown, { permission, missing, taken }: ProviderQuestion): unknown {
  if (error instanceof ServiceAccountError) {
    return new ServiceAccountRejected({ detail: error.message, details: { reason: error.reason } })
  }
  if (error instanceof OutboundError) return unreachable(error.reason, error)
  if (!(error instanceof UnusableAnswer)) return error
  switch (error.status) {
    case 400:
      return new ProviderRefused({ details: { reason: reasonIn(error.body) }, cause: error })
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

/** An answer that cannot be what the provider's contract says. */
export const unusableAnswer = () => unreachable('unusable_answer')

const LIST_FAULTS = {
  no_progress: 'a page lists the same users as the one before',
  page_too_large: 'a page has more users than were asked for',
  more_than_total: 'it has far more users than its total says',
}

/** A list of users that is not to be believed. */
export function unusableList(reason: keyof typeof LIST_FAULTS) {
  const detail = `The identity provider's list of users cannot be used: ${LIST_FAULTS[reason]}`
  return new UpstreamUnreachable({ detail, details: { reason } })
}

function unreachable(reason: string, cause?: unknown) {
  const detail = 'The identity provider could not be reached or gave no usable answer'
  return new UpstreamUnreachable({ detail, details: { reason }, cause })
}

/** What the provider says is wrong with the request. */
function reasonIn(body: unknown) {
  const message = (body as { message?: unknown } | null | undefined)?.message
  return typeof message === 'string' ? message.slice(0, 200) : 'invalid'
}
