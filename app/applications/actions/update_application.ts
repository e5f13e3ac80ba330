import { type RequireFresh, unconditional } from '#core/http/etag'
import { updateOf } from '#core/audit/audited_row'
import { recordChange } from '#core/audit/record_change'
import { transaction } from '#core/database/transaction'
import { logSecurityEvent } from '#core/security_events'
import { requireKnownLanguages } from '#app/platform/actions/require_known_languages'
import { PanelProtected } from '#app/applications/exceptions'
import Application from '#app/applications/models/application'
import { auditedApplication } from '#app/applications/transformers/audited_rows'
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
 * @param requireSuperAdmin is called before `outsideRecipients` changes; throws for other callers
 * @throws ApplicationNotFound, Stale, UnknownLanguages, PanelProtected
 */
export async function updateApplication(
  code: string,
  changes: ApplicationChanges,
  requireSuperAdmin: () => void,
  requireFresh: RequireFresh<Application> = unconditional
) {
  if (changes.supportedLanguages) {
    await Application.withCode(code)
    await requireKnownLanguages(changes.supportedLanguages)
  }
  const { application, changesOutsideRecipients } = await transaction(async (trx) => {
    const found = await Application.lockWithCode(code, trx)
    await requireFresh(() => found)
    const before = auditedApplication(found)
    const result = await changeApplication(found, changes, requireSuperAdmin)
    await recordChange(trx, updateOf(before, auditedApplication(found)))
    return result
  })
  if (changesOutsideRecipients) {
    const { outsideRecipients } = application
    logSecurityEvent(
      'outside_recipients_changed',
      'The outside recipients setting of an application changed',
      { application: code, outsideRecipients }
    )
  }
  return application
}

async function changeApplication(
  application: Application,
  { supportedLanguages, ...rest }: ApplicationChanges,
  requireSuperAdmin: () => void
) {
  // The panel must stay open: application administrators are not members of its application.
  const closes = rest.membership === 'granted' && application.membership === 'open'
  if (closes && application.code === PANEL_APPLICATION) throw new PanelProtected()
  const { outsideRecipients = application.outsideRecipients } = rest
  const changesOutsideRecipients = outsideRecipients !== application.outsideRecipients
  if (changesOutsideRecipients) requireSuperAdmin()
  if (supportedLanguages) application.supportedLanguages = [...new Set(supportedLanguages)]
  await application.merge(rest).save()
  return { application, changesOutsideRecipients }
}
