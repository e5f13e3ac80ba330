import { SimpleErrorReporter } from '@vinejs/vine'
import type { FieldContext } from '@vinejs/vine/types'

/** Validation stops at this many faults and reports those found so far. */
export const MAX_FAULTS = 10

/** Collects faults and stops at the limit, so that the cost does not grow with their number. */
export class LimitedErrorReporter extends SimpleErrorReporter {
  override report(
    message: string,
    rule: string,
    field: FieldContext,
    meta?: Record<string, unknown>
  ) {
    super.report(message, rule, field, meta)
    if (this.errors.length >= MAX_FAULTS) throw this.createError()
  }
}
