import type { DateTime } from 'luxon'
import { JoinedModels } from '#core/database/joined_models'
import { Problem } from '#core/exceptions/problem'
import { ApplicationNotFound } from '#app/applications/exceptions'
import { type InternalCaller, requireApplicationAccess } from '#app/auth/values/internal_caller'
import Application from '#app/applications/models/application'
import { requestStatements } from '#app/delivery/queries/request_statements'
import { readSendAt } from '#app/delivery/values/send_at'
import type { NotificationRequest } from '#app/delivery/values/notification_request'
import { chooseTemplate, findMissingVariables } from '#app/notifications/actions/choose_template'
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
  /** Whether its mail is never part of a digest: it is one, or is sent again */
  isSeparate?: boolean
}

/** What was found before a request was refused. */
export type FoundRequest = Pick<ResolvedRequest, 'request'> & Partial<ResolvedRequest>

export interface Refusal {
  problem: Problem
  found: FoundRequest
}

/** Looks up each application, type and template once. Returns a problem for a refused request. */
export async function resolveRequests(
  requests: (NotificationRequest | Problem)[],
  caller: InternalCaller
): Promise<(ResolvedRequest | Problem)[]> {
  const resolutions = await resolveOrRefuse(requests.filter(isRequest), caller)
  let next = 0
  return requests.map((request) => {
    if (request instanceof Problem) return request
    const resolution = resolutions[next++]
    return 'problem' in resolution ? resolution.problem : resolution
  })
}

/** Like `resolveRequests`; a refusal says how far the request got. */
export async function resolveOrRefuse(
  requests: NotificationRequest[],
  caller: InternalCaller
): Promise<(ResolvedRequest | Refusal)[]> {
  const known = await lookUp(requests)
  return Promise.all(
    requests.map((request) => {
      const found: FoundRequest = { request }
      return resolve(found, caller, known).catch((error: unknown) => ({
        problem: problemOrThrow(error),
        found,
      }))
    })
  )
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
  return resolve(found, caller, await lookUp([found.request]))
}

type Known = Awaited<ReturnType<typeof lookUp>>

async function lookUp(requests: NotificationRequest[]) {
  const { applications, types } = await findTypes(requests)
  const templates = new Map<string, Promise<NotificationTemplate | null>>()
  const templateOf = (type: NotificationType, key: string | undefined) => {
    const cacheKey = `${type.id}\n${key ?? ''}`
    const known = templates.get(cacheKey)
    if (known) return known
    const chosen = chooseTemplate(type, key)
    templates.set(cacheKey, chosen)
    return chosen
  }
  return { applications, types, templateOf }
}

async function resolve(
  found: FoundRequest,
  caller: InternalCaller,
  { applications, types, templateOf }: Known
): Promise<ResolvedRequest> {
  const { request } = found
  requireApplicationAccess(caller, request.appCode)
  const application = applications.get(request.appCode)
  if (!application) throw new ApplicationNotFound()
  found.application = application
  const type = types.get(`${application.id}\n${request.type}`)
  if (!type) return { request, application, type: null, template: null }
  requireUsableType(caller, type)
  found.type = type
  const sendAt = readSendAt(request.sendAt)
  found.sendAt = sendAt
  const template = await templateOf(type, request.template)
  found.template = template
  const missing = template ? findMissingVariables(template, request.data ?? {}) : []
  if (missing.length > 0) throw new MissingTemplateVariables(missing)
  return { request, application, type, template, ...(sendAt && { sendAt }) }
}

function isRequest(request: NotificationRequest | Problem): request is NotificationRequest {
  return !(request instanceof Problem)
}

function problemOrThrow(error: unknown): Problem {
  if (error instanceof Problem) return error
  throw error
}

async function findTypes(requests: NotificationRequest[]) {
  const wanted = new Map(
    requests.map(({ appCode, type }) => [`${appCode}\n${type}`, { app_code: appCode, type }])
  )
  const rows = await requestStatements().types.all([JSON.stringify([...wanted.values()])])
  const [applicationIn, typeIn] = [
    new JoinedModels(Application),
    new JoinedModels(NotificationType),
  ]
  const applications = new Map<string, Application>()
  const types = new Map<string, NotificationType>()
  for (const row of rows) {
    const application = applicationIn.in(row)!
    const type = typeIn.in(row)
    applications.set(application.code, application)
    if (type) types.set(`${application.id}\n${type.code}`, type)
  }
  return { applications, types }
}
