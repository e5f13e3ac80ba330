import { type Problem } from '#core/exceptions/problem'
import { ApplicationNotFound } from '#app/applications/exceptions'
import Application from '#app/applications/models/application'
import type Broadcast from '#app/broadcasts/models/broadcast'
import { chooseTemplate, missingVariables } from '#app/notifications/actions/compose_message'
import { MissingTemplateVariables, SystemType } from '#app/notifications/exceptions'
import type NotificationTemplate from '#app/notifications/models/notification_template'
import NotificationType from '#app/notifications/models/notification_type'
import { subjectLine } from '#app/notifications/rendering/subject'

/** What all recipients of a broadcast get. */
export interface BroadcastContent {
  application: Application
  /** Null when it was deleted meanwhile: then nothing is sent, but it is recorded. */
  type: NotificationType | null
  template: NotificationTemplate | null
}

type Wanted = Pick<Broadcast, 'type' | 'templateKey' | 'data'>

/**
 * What a running broadcast says, as it is stored now.
 *
 * @throws ApplicationNotFound, SystemType, TemplateRequired, UnknownTemplate,
 *   MissingTemplateVariables, RenderedTooLarge
 */
export async function readContent(broadcast: Broadcast): Promise<BroadcastContent> {
  const { applicationId } = broadcast
  const application = applicationId === null ? null : await Application.find(applicationId)
  if (!application) throw new ApplicationNotFound()
  const type = await findType(application, broadcast.type)
  return { application, type, template: type && (await readTemplate(type, broadcast)) }
}

/**
 * The type a broadcast is of; null when there is none. Types of the system carry what lets a person
 * in, so only the identity provider's hooks send them.
 *
 * @throws SystemType
 */
export async function findType(application: Application, code: string) {
  const type = await NotificationType.findBy({ applicationId: application.id, code })
  if (type?.system) throw new SystemType()
  return type
}

/** @throws TemplateRequired, UnknownTemplate, MissingTemplateVariables, RenderedTooLarge */
export async function readTemplate(type: NotificationType, { templateKey, data }: Wanted) {
  const template = await chooseTemplate(type, templateKey ?? undefined)
  const missing = template ? missingVariables(template, data) : missingTexts(data)
  if (missing.length > 0) throw new MissingTemplateVariables(missing)
  if (template === null) subjectLine(String(data.subject))
  return template
}

/** Without a template the data's own texts are the message. */
function missingTexts(data: Record<string, unknown>) {
  return ['subject', 'body'].filter((key) => typeof data[key] !== 'string' || data[key] === '')
}

/** What the record says of a broadcast that cannot go on. */
export function reasonOf(problem: Problem): string {
  const { missing } = problem.details
  const text = Array.isArray(missing) ? missing.join(', ') : problem.message
  return `${problem.kind.code}: ${text}`
}
