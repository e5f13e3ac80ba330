import { isoTimestamp } from '#core/database/columns'
import type Application from '#app/applications/models/application'

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
