import Application from '#app/applications/models/application'
import NotificationType from '#app/notifications/models/notification_type'
import { AUTH_TYPE, templateOfEvent } from '#app/identity_provider/auth_templates/auth_templates'
import type { FallbackReason, TemplateSource } from '#app/identity_provider/mail_hook/mail_content'
import { renderProviderContent } from '#app/identity_provider/mail_hook/render_provider_content'
import {
  type MailRequest,
  renderEventTemplate,
} from '#app/identity_provider/mail_hook/render_event_template'
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
export async function composeProviderMail(request: MailRequest): Promise<ComposedProviderMail> {
  const { message, recipient, locale } = request
  const code = identityProvider.notificationApplication
  const application = await Application.findBy({ code })
  const type = application && (await typeOf(application))
  const common = {
    application: { code, name: application?.name ?? code },
    templateKey: templateOfEvent(message.eventType),
    fromName: type?.emailFromName ?? null,
  }
  const { mail, fallbackReason } = await renderEventTemplate(request, { application, type })
  if (mail) return { ...common, source: 'panel', fallbackReason, locale: mail.locale, mail }
  const providerMail = renderProviderContent(message, recipient.brand, locale)
  return { ...common, source: 'idp', fallbackReason, locale, mail: providerMail }
}

function typeOf({ id: applicationId }: Application) {
  return NotificationType.findBy({ applicationId, code: AUTH_TYPE })
}
