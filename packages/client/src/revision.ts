/** The number of an access change. */
export const isRevision = (given: unknown): given is number =>
  Number.isSafeInteger(given) && (given as number) >= 0

/**
 * The revision of a change, from the response to it: what `may(…, { atLeast })` takes, so that the
 * check reflects the change. From the response to a check: every change up to this revision is
 * reflected.
 *
 * @returns null if the request changed nothing that checks depend on
 *
 * @example
 * const { response } = await concierge.api.PUT(ROLES, { params, body })
 * await concierge.may(question, { atLeast: revisionOf(response) })
 */
export function revisionOf({ headers }: Response): number | null {
  const header = headers.get('concierge-revision')
  const revision = header === null || !/^\d+$/.test(header) ? null : Number(header)
  return isRevision(revision) ? revision : null
}
