import logger from '@adonisjs/core/services/logger'
import { isDatabaseUnavailable } from '#core/database/errors'
import { describeError } from '#core/exceptions/describe_error'
import Application from '#app/applications/models/application'
import { findMissingVariables } from '#app/notifications/actions/choose_template'
import { composeMessage } from '#app/notifications/actions/compose_message'
import NotificationTemplate from '#app/notifications/models/notification_template'
import NotificationType from '#app/notifications/models/notification_type'
import TemplateVersion from '#app/notifications/models/template_version'
import { findExposedSecretInVersion } from '#app/notifications/rendering/find_exposed_secret'
import type { Recipient } from '#app/notifications/values/service_variables'
import { renderProviderContent } from '#app/identity_provider/mail_hook/provider_content'
import { AUTH_TYPE, templateOfEvent } from '#app/identity_provider/auth_templates/auth_templates'
import type { FallbackReason, TemplateSource } from '#app/identity_provider/mail_hook/mail_content'
import type { ProviderMessage } from '#app/identity_provider/mail_hook/provider_message'
import identityProvider from '#config/identity_provider'

export interface ComposedProviderMail {
  application: { code: string; name: string }
  templateKey: string | null
  source: TemplateSource
  fallbackReason: FallbackReason | null
  fromName: string | null
  locale: string
  /** Null if neither a template nor the provider's texts make a mail. */
  mail: { subject: string; html: string; text: string } | null
}

/**
 * Prefers the template of the event to the provider's texts
 * (identity-provider.md#fallback-reasons).
 */
export async function composeProviderMail(
  message: ProviderMessage,
  recipient: Recipient,
  locale: string
): Promise<ComposedProviderMail> {
  const code = identityProvider.notificationApplication
  const application = await Application.findBy({ code })
  const type = application && (await typeOf(application))
  const templateKey = templateOfEvent(message.eventType)
  const common = {
    application: { code, name: application?.name ?? code },
    templateKey,
    fromName: type?.emailFromName ?? null,
  }
  const rendered = await renderTemplate({
    message,
    recipient,
    locale,
    application,
    type,
    templateKey,
  })
  if (typeof rendered !== 'string') {
    return {
      ...common,
      source: 'panel',
      fallbackReason: null,
      locale: rendered.locale,
      mail: rendered,
    }
  }
  const mail = renderProviderContent(message, recipient.brand, locale)
  return { ...common, source: 'idp', fallbackReason: rendered, locale, mail }
}

interface TemplateInput {
  message: ProviderMessage
  recipient: Recipient
  locale: string
  application: Application | null
  type: NotificationType | null
  templateKey: string | null
}

/** The rendered template, or why it cannot be used. */
async function renderTemplate({
  message,
  recipient,
  locale,
  application,
  type,
  templateKey,
}: TemplateInput) {
  if (templateKey === null) return 'UNKNOWN_EVENT'
  const templates = type ? await NotificationTemplate.cachedForType(type.id) : []
  const template = templates.find(({ key }) => key === templateKey)
  if (!application || !template) return 'NO_TEMPLATE'
  if ((await TemplateVersion.stampsOf(template.id)).length === 0) return 'NO_LOCALE'
  const data = message.variables
  if (findMissingVariables(template, data).length > 0) return 'MISSING_VARIABLES'
  try {
    const composed = await composeMessage({ application, template, data, locale, recipient })
    if (composed === null) return 'NO_LOCALE'
    if (await exposesSecret(template, composed.locale)) return 'RENDER_ERROR'
    return composed
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error
    logger.warn({ error: describeError(error), templateKey }, 'A template could not be rendered')
    return 'RENDER_ERROR'
  }
}

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

function typeOf({ id: applicationId }: Application) {
  return NotificationType.findBy({ applicationId, code: AUTH_TYPE })
}
