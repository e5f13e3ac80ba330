import type { HttpContext } from '@adonisjs/core/http'
import { PreconditionRequired } from '#app/policies/exceptions'

/**
 * Reads `If-Match`, which a write requires: the revision of a plan, with or without quotes, or `*`.
 *
 * @returns whether the header accepts a revision
 * @throws PreconditionRequired
 */
export function requiredIfMatch({ request }: HttpContext): (revision: string) => boolean {
  const given = request.header('if-match')
  if (!given) throw new PreconditionRequired()
  const listed = given.split(',').map((each) => each.trim())
  const accepted = (revision: string) => ['*', revision, `"${revision}"`]
  return (revision) => accepted(revision).some((each) => listed.includes(each))
}
