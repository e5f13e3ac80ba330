import { logSecurityEvent } from '#core/security_events'
import { requireKnownLanguages } from '#app/platform/actions/require_known_languages'
import { PanelProtected } from '#app/applications/exceptions'
import Application from '#app/applications/models/application'
import type { Membership } from '#app/applications/values/membership'
import { PANEL_APPLICATION } from '#app/applications/values/panel'

export interface ApplicationChanges {
  name?: string
  description?: string | null
  supportedLanguages?: string[]
  membership?: Membership
  outsideRecipients?: boolean
}

/**
 * @param requireSuperAdmin is called to change `outsideRecipients`; throws unless the caller is one
 * @throws ApplicationNotFound, UnknownLanguages, PanelProtected
 */
export async function updateApplication(
  code: string,
  changes: ApplicationChanges,
  requireSuperAdmin: () => void
) {
  const application = await Application.withCode(code)
  const { supportedLanguages, ...rest } = changes
  // The panel must stay open: application administrators are not members of its application.
  const closes = rest.membership === 'granted' && application.membership === 'open'
  if (closes && code === PANEL_APPLICATION) throw new PanelProtected()
  const { outsideRecipients = application.outsideRecipients } = rest
  const changesOutsideRecipients = outsideRecipients !== application.outsideRecipients
  if (changesOutsideRecipients) requireSuperAdmin()
  if (supportedLanguages) {
    await requireKnownLanguages(supportedLanguages)
    application.supportedLanguages = [...new Set(supportedLanguages)]
  }
  await application.merge(rest).save()
  if (changesOutsideRecipients) {
    const facts = { application: code, outsideRecipients }
    logSecurityEvent(
      'outside_recipients_changed',
      'The outside recipients setting of an application changed',
      facts
    )
  }
  return application
}
