import { requireKnownLanguages } from '#app/platform/actions/require_known_languages'
import Application from '#app/applications/models/application'

export interface ApplicationChanges {
  name?: string
  description?: string | null
  supportedLanguages?: string[]
}

/**
 * Changes the fields that are given; the code is immutable and not among them (specification 4.3).
 *
 * @throws ApplicationNotFound, UnknownLanguages
 */
export async function updateApplication(code: string, changes: ApplicationChanges) {
  const application = await Application.withCode(code)
  const { supportedLanguages, ...rest } = changes
  if (supportedLanguages) {
    await requireKnownLanguages(supportedLanguages)
    application.supportedLanguages = [...new Set(supportedLanguages)]
  }
  return application.merge(rest).save()
}
