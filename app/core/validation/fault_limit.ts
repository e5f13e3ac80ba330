import { SimpleErrorReporter } from '@vinejs/vine'
import type { FieldContext } from '@vinejs/vine/types'

/** Validation ends here: whoever sends a longer list of mistakes learns about the first ones. */
export const MAX_FAULTS = 10

/** Collects faults and ends the validation at the tenth, so that its cost does not grow with them. */
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
