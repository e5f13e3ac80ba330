import { isoTimestamp } from '#core/values/iso_timestamp'
import type Application from '#app/applications/models/application'

type Level = 'view' | 'edit'

/** What the panel shows, with the caller's level. */
export function shownApplicationResource(
  application: Application,
  access: { levelOn(appCode: string): Level | null }
) {
  return {
    ...applicationResource(application),
    level: access.levelOn(application.code) ?? ('view' as Level),
  }
}

export function applicationResource(application: Application) {
  return {
    id: application.id,
    code: application.code,
    name: application.name,
    description: application.description,
    createdAt: isoTimestamp(application.createdAt),
    supportedLanguages: application.supportedLanguages,
    membership: application.membership,
    outsideRecipients: application.outsideRecipients,
  }
}
