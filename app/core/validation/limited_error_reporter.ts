import { SimpleErrorReporter } from '@vinejs/vine'
import type { FieldContext } from '@vinejs/vine/types'

export const MAX_VALIDATION_ERRORS = 10

/** Stops validation at the limit, so that its cost does not grow with the number of errors. */
export class LimitedErrorReporter extends SimpleErrorReporter {
  override report(
    message: string,
    rule: string,
    field: FieldContext,
    meta?: Record<string, unknown>
  ) {
    super.report(message, rule, field, meta)
    if (this.errors.length >= MAX_VALIDATION_ERRORS) throw this.createError()
  }
}
