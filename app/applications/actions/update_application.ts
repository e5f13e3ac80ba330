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
 * Changes the fields that are given; the code is immutable and not among them.
 *
 * @param requireSuperAdmin throws unless the caller is a super admin, who alone may change
 *   `outsideRecipients`
 * @throws ApplicationNotFound, UnknownLanguages, PanelProtected
 */
export async function updateApplication(
  code: string,
  changes: ApplicationChanges,
  requireSuperAdmin: () => void
) {
  const application = await Application.withCode(code)
  const { supportedLanguages, ...rest } = changes
  // Administrators of applications hold nothing in the panel's application, and need to enter it.
  const closes = rest.membership === 'granted' && application.membership === 'open'
  if (closes && code === PANEL_APPLICATION) throw new PanelProtected()
  const { outsideRecipients = application.outsideRecipients } = rest
  const changesOutside = outsideRecipients !== application.outsideRecipients
  if (changesOutside) requireSuperAdmin()
  if (supportedLanguages) {
    await requireKnownLanguages(supportedLanguages)
    application.supportedLanguages = [...new Set(supportedLanguages)]
  }
  await application.merge(rest).save()
  if (changesOutside) {
    const facts = { application: code, outsideRecipients }
    logSecurityEvent(
      'outside_recipients_changed',
      'The outside recipients setting of an application changed',
      facts
    )
  }
  return application
}
