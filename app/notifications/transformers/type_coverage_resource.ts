import type { TypeCoverage } from '#app/notifications/queries/language_coverage'

/** See notifications.md#language-coverage. */
export function typeCoverageResource({ type, templates, versions }: TypeCoverage) {
  return {
    appCode: type.application.code,
    type: type.code,
    name: type.name,
    /** Number of the type's templates */
    templates,
    /** Languages with a version of at least one template */
    languages: [...versions].map(([code, count]) => ({
      code,
      /** Number of templates with a version in this language */
      versions: count,
    })),
  }
}
