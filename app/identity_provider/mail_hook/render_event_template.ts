import logger from '@adonisjs/core/services/logger'
import { isDatabaseUnavailable } from '#core/database/errors'
import { describeError } from '#core/exceptions/describe_error'
import type Application from '#app/applications/models/application'
import { findMissingVariables } from '#app/notifications/rendering/missing_variables'
import { type ComposedMessage, composeMessage } from '#app/notifications/actions/compose_message'
import NotificationTemplate from '#app/notifications/models/notification_template'
import type NotificationType from '#app/notifications/models/notification_type'
import TemplateVersion from '#app/notifications/models/template_version'
import { findExposedSecretInVersion } from '#app/notifications/rendering/find_exposed_secret'
import type { Recipient } from '#app/notifications/values/service_variables'
import { templateOfEvent } from '#app/identity_provider/auth_templates/auth_templates'
import type { FallbackReason } from '#app/identity_provider/mail_hook/mail_content'
import type { ProviderMessage } from '#app/identity_provider/mail_hook/provider_message'

export interface MailRequest {
  message: ProviderMessage
  recipient: Recipient
  locale: string
}

/** The type and templates of system mails; null where they are not set up. */
interface Sender {
  application: Application | null
  type: NotificationType | null
}

type EventTemplateMail =
  { mail: ComposedMessage; fallbackReason: null } | { mail: null; fallbackReason: FallbackReason }

/** The mail that the template of the event makes, or why it makes none. */
export async function renderEventTemplate(
  { message, recipient, locale }: MailRequest,
  { application, type }: Sender
): Promise<EventTemplateMail> {
  const templateKey = templateOfEvent(message.eventType)
  if (templateKey === null) return noMail('UNKNOWN_EVENT')
  const templates = type ? await NotificationTemplate.cachedForType(type.id) : []
  const template = templates.find(({ key }) => key === templateKey)
  if (!application || !template) return noMail('NO_TEMPLATE')
  if ((await TemplateVersion.stampsOf(template.id)).length === 0) return noMail('NO_LOCALE')
  const data = message.variables
  if (findMissingVariables(template, data).length > 0) return noMail('MISSING_VARIABLES')
  try {
    const mail = await composeMessage({ application, template, data, locale, recipient })
    if (mail === null) return noMail('NO_LOCALE')
    if (await exposesSecret(template, mail.locale)) return noMail('RENDER_ERROR')
    return { mail, fallbackReason: null }
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error
    logger.warn({ error: describeError(error), templateKey }, 'A template could not be rendered')
    return noMail('RENDER_ERROR')
  }
}

const noMail = (fallbackReason: FallbackReason) => ({ mail: null, fallbackReason })

/** Versions saved before this rule existed may break it. */
async function exposesSecret({ id, key }: NotificationTemplate, locale: string) {
  const exposed = findExposedSecretInVersion(await TemplateVersion.of(id, locale))
  if (exposed === null) return false
  const facts = { templateKey: key, locale, variable: exposed.secret.name, field: exposed.field }
  logger.error(
    facts,
    'A template was not used because it would expose a sign-in code or link to another host'
  )
  return true
}
