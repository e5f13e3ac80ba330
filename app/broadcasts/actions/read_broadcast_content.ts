import { type Problem } from '#core/exceptions/problem'
import { ApplicationNotFound } from '#app/applications/exceptions'
import Application from '#app/applications/models/application'
import type Broadcast from '#app/broadcasts/models/broadcast'
import { chooseTemplate } from '#app/notifications/actions/choose_template'
import { findMissingVariables } from '#app/notifications/rendering/missing_variables'
import { MissingTemplateVariables, SystemType } from '#app/notifications/exceptions'
import type NotificationTemplate from '#app/notifications/models/notification_template'
import NotificationType from '#app/notifications/models/notification_type'
import { subjectLine } from '#app/notifications/rendering/subject'
import { missingMessageFields } from '#app/notifications/values/missing_message_fields'

export interface BroadcastContent {
  application: Application
  /** Null if the type has been deleted: notifications are then recorded but not sent. */
  type: NotificationType | null
  template: NotificationTemplate | null
}

type ContentFields = Pick<Broadcast, 'type' | 'templateKey' | 'data'>

/** @throws ApplicationNotFound, and what `findBroadcastType` and `readBroadcastTemplate` throw */
export async function readBroadcastContent(broadcast: Broadcast): Promise<BroadcastContent> {
  const { applicationId } = broadcast
  const application = applicationId === null ? null : await Application.find(applicationId)
  if (!application) throw new ApplicationNotFound()
  const type = await findBroadcastType(application, broadcast.type)
  return { application, type, template: type && (await readBroadcastTemplate(type, broadcast)) }
}

/** @throws SystemType, since those types carry login codes, which only the provider may send */
export async function findBroadcastType(application: Application, code: string) {
  const type = await NotificationType.findBy({ applicationId: application.id, code })
  if (type?.system) throw new SystemType()
  return type
}

/** @throws TemplateRequired, UnknownTemplate, MissingTemplateVariables, RenderedTooLarge */
export async function readBroadcastTemplate(
  type: NotificationType,
  { templateKey, data }: ContentFields
) {
  const template = await chooseTemplate(type, templateKey ?? undefined)
  const missing = template ? findMissingVariables(template, data) : missingMessageFields(data)
  if (missing.length > 0) throw new MissingTemplateVariables(missing)
  if (template === null) subjectLine(String(data.subject))
  return template
}

export function describeFailure(problem: Problem): string {
  const { missing } = problem.details
  const text = Array.isArray(missing) ? missing.join(', ') : problem.message
  return `${problem.kind.code}: ${text}`
}
