import type { HttpContext } from '@adonisjs/core/http'
import type { Decision } from '#app/checks/values/decision'
import { type Outcome, isPermitted } from '#app/authzen/values/outcome'

/** See authzen.md#decisions. */
export interface AccessDecision {
  decision: boolean
  context?: {
    /** For callers in the private network only. */
    reason_admin?: DecisionReason
    /** Why an item of a batch could not be evaluated. */
    error?: { status: number; message: string }
  }
}

export interface DecisionReason {
  /** A sentence for people; it can change. */
  en: string
  /** The number of the rule that decided, if one did. */
  rule?: string
  /** What granted the access, or `none`; absent if no rule decided. */
  source?: string
}

/** @param caller only the private network learns the reason */
export function accessDecision(
  outcome: Outcome,
  caller: HttpContext['authzenCaller']
): AccessDecision {
  const decision = isPermitted(outcome)
  if ('message' in outcome) {
    return { decision, context: { error: { status: 400, message: outcome.message } } }
  }
  if (caller !== 'network') return { decision }
  const reason =
    'unknown' in outcome ? { en: `The ${outcome.unknown} is unknown` } : reasonOf(outcome)
  return { decision, context: { reason_admin: reason } }
}

function reasonOf({ level, source, decidedBy }: Decision): DecisionReason {
  const verb = level === null ? 'denies' : 'permits'
  const rule = String(decidedBy)
  return { en: `Rule ${rule} ${verb} the access`, rule, source: source ?? 'none' }
}
