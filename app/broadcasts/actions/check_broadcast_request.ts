import { DateTime } from 'luxon'
import { invalidField } from '#core/exceptions/problems'
import Application from '#app/applications/models/application'
import {
  findBroadcastType,
  readBroadcastTemplate,
} from '#app/broadcasts/actions/read_broadcast_content'
import { requireReachable } from '#app/broadcasts/actions/require_reachable'
import { EmptyAudience, UnknownRole } from '#app/broadcasts/exceptions'
import { audienceSources, hasAudienceMembers } from '#app/broadcasts/queries/audience_sources'
import type { Audience, AudienceRequest } from '#app/broadcasts/values/audience'
import type { BroadcastAuthor, BroadcastRequest } from '#app/broadcasts/values/broadcast_request'
import { UnknownNotificationType } from '#app/notifications/exceptions'
import Role from '#app/permissions/models/role'

type WantedAudience = AudienceRequest | { kind: 'emails' }

/** With the addresses of a list, or without those that are stored already. */
interface CheckedRequest extends Omit<BroadcastRequest, 'audience'> {
  audience: WantedAudience
}

/**
 * @throws ApplicationNotFound, UnknownNotificationType, SystemType, TemplateRequired,
 * UnknownTemplate, MissingTemplateVariables, RenderedTooLarge, UnknownRole, EmptyAudience,
 * Forbidden, ValidationError
 */
export async function checkBroadcastRequest(
  appCode: string,
  request: CheckedRequest,
  author: BroadcastAuthor
) {
  const application = await Application.withCode(appCode)
  requireReachable(request.audience, author)
  const type = await findBroadcastType(application, request.type)
  if (!type) throw new UnknownNotificationType()
  const template = await readBroadcastTemplate(type, {
    type: request.type,
    templateKey: request.template ?? null,
    data: request.data ?? {},
  })
  const scheduledAt = readSchedule(request.scheduledAt)
  const audience = await readAudience(application, request.audience)
  // A scheduled broadcast may have an audience by the time it starts.
  if (request.audience.kind !== 'emails' && scheduledAt === null) {
    if (!(await hasAudienceMembers(audienceSources(audience, application.id))))
      throw new EmptyAudience()
  }
  return { application, audience, type, template, scheduledAt }
}

function readSchedule(text: string | undefined): DateTime | null {
  if (text === undefined) return null
  const moment = DateTime.fromISO(text, { zone: 'utc' })
  if (moment.toMillis() > Date.now()) return moment
  throw invalidField('scheduledAt', 'future', 'scheduledAt must be in the future')
}

async function readAudience(application: Application, request: WantedAudience): Promise<Audience> {
  if (request.kind !== 'role') return { kind: request.kind }
  const roles = await Role.query().where('applicationId', application.id).orderBy('code')
  const role = roles.find(({ code }) => code === request.roleCode)
  if (!role) throw new UnknownRole(roles.map(({ code }) => code))
  return { kind: 'role', roleCode: role.code, roleId: role.id }
}
