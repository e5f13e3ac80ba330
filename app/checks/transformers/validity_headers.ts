import type { HttpContext } from '@adonisjs/core/http'
import type { OnLimited } from '#app/checks/actions/check_permissions'
import type { Judgement } from '#app/checks/values/judgement'

/** How long the results hold, in milliseconds. */
const VALID_FOR = 'concierge-valid-for'
/** The positions of permissions whose results depend on conditions. */
const CONDITIONAL = 'concierge-conditional'

/** Tells callers which results they may remember (checks.md#remembered-results). */
export function validityHeaders({ response }: HttpContext): OnLimited {
  return (judgements, now) => {
    for (const [name, value] of headersOfValidity(judgements, now)) response.header(name, value)
  }
}

export function headersOfValidity(judgements: readonly Judgement[], now: number) {
  const headers: [name: string, value: string][] = []
  const until = Math.min(...judgements.map((judgement) => judgement.until))
  if (until < Infinity) headers.push([VALID_FOR, String(until - now)])
  const conditional = judgements.flatMap(({ decision }, index) =>
    decision === null ? [index] : []
  )
  if (conditional.length > 0) headers.push([CONDITIONAL, conditional.join(',')])
  return headers
}
