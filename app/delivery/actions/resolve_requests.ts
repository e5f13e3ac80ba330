import type { DateTime } from 'luxon'
import { Problem } from '#core/exceptions/problem'
import { type InternalCaller, requireApplicationAccess } from '#app/auth/values/internal_caller'
import Application from '#app/applications/models/application'
import { readSendAt } from '#app/delivery/values/send_at'
import type { NotificationRequest } from '#app/delivery/values/notification_request'
import { chooseTemplate } from '#app/notifications/actions/choose_template'
import { findMissingVariables } from '#app/notifications/rendering/missing_variables'
import { requireUsableType } from '#app/notifications/actions/require_usable_type'
import { MissingTemplateVariables } from '#app/notifications/exceptions'
import type NotificationTemplate from '#app/notifications/models/notification_template'
import NotificationType from '#app/notifications/models/notification_type'

export interface ResolvedRequest {
  request: NotificationRequest
  application: Application
  /** Null if the application does not have the type: recorded but not sent */
  type: NotificationType | null
  template: NotificationTemplate | null
  broadcastId?: number
  /** When it is to be rendered and sent, if not immediately */
  sendAt?: DateTime
  /** Variables that were sensitive when the request was accepted, if that was earlier */
  sensitiveBefore?: string[]
  /** Whether its mail is never part of a digest: it is one, or is sent again */
  isSeparate?: boolean
}

/** What was found before a request was refused. */
export type FoundRequest = Pick<ResolvedRequest, 'request'> & Partial<ResolvedRequest>

export interface Refusal {
  problem: Problem
  found: FoundRequest
}

/** Returns a problem for a refused request. */
export async function resolveRequests(
  requests: (NotificationRequest | Problem)[],
  caller: InternalCaller
): Promise<(ResolvedRequest | Problem)[]> {
  return Promise.all(
    requests.map(async (request) => {
      if (request instanceof Problem) return request
      const resolution = await resolveOne(request, caller)
      return 'problem' in resolution ? resolution.problem : resolution
    })
  )
}

/** Like `resolveRequests`; a refusal says how far the request got. */
export function resolveOrRefuse(
  requests: NotificationRequest[],
  caller: InternalCaller
): Promise<(ResolvedRequest | Refusal)[]> {
  return Promise.all(requests.map((request) => resolveOne(request, caller)))
}

function resolveOne(
  request: NotificationRequest,
  caller: InternalCaller
): Promise<ResolvedRequest | Refusal> {
  const found: FoundRequest = { request }
  return resolveFound(found, caller).catch((error: unknown) => ({
    problem: problemOrThrow(error),
    found,
  }))
}

/**
 * Resolves a single request, and leaves what it finds in `found`.
 * @throws ApplicationNotFound, KeyNotForApplication, SystemType, ValidationError, TemplateRequired,
 *   UnknownTemplate, MissingTemplateVariables
 */
export async function resolveFound(
  found: FoundRequest,
  caller: InternalCaller
): Promise<ResolvedRequest> {
  const { request } = found
  requireApplicationAccess(caller, request.appCode)
  const application = await Application.cachedWithCode(request.appCode)
  found.application = application
  const type = await NotificationType.cachedOf(application.id, request.type)
  if (!type) return { request, application, type: null, template: null }
  requireUsableType(caller, type)
  found.type = type
  const sendAt = readSendAt(request.sendAt)
  found.sendAt = sendAt
  const template = await chooseTemplate(type, request.template)
  found.template = template
  const missing = template ? findMissingVariables(template, request.data ?? {}) : []
  if (missing.length > 0) throw new MissingTemplateVariables(missing)
  return { request, application, type, template, ...(sendAt && { sendAt }) }
}

function problemOrThrow(error: unknown): Problem {
  if (error instanceof Problem) return error
  throw error
}
