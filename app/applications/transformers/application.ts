import { isoTimestamp } from '#core/database/columns'
import type Application from '#app/applications/models/application'

/** Specification 2.6. */
export function applicationResource(application: Application) {
  return {
    id: application.id,
    code: application.code,
    name: application.name,
    description: application.description,
    createdAt: isoTimestamp(application.createdAt),
    supportedLanguages: application.supportedLanguages,
  }
}
