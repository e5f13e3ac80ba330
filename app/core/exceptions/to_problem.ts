import { errors as limiterErrors } from '@adonisjs/limiter'
import { errors as httpErrors } from '@adonisjs/core/http'
import { errors as vineErrors } from '@vinejs/vine'
import { Problem } from '#core/exceptions/problem'
import {
  Conflict,
  DatabaseUnavailable,
  InternalError,
  NotFound,
  RateLimited,
  invalidFields,
} from '#core/exceptions/problems'
import { isDatabaseUnavailable, isForeignKeyViolation } from '#core/database/errors'

/** Converts any error into a problem. The text of an unknown error never leaves the process. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (error instanceof vineErrors.E_VALIDATION_ERROR) return invalidFields(error.messages)
  if (error instanceof httpErrors.E_ROUTE_NOT_FOUND) return new NotFound({ cause: error })
  if (error instanceof limiterErrors.E_TOO_MANY_REQUESTS) {
    const seconds = Math.max(1, Math.ceil(error.response.availableIn))
    return new RateLimited({ headers: { 'retry-after': String(seconds) } })
  }
  if (isDatabaseUnavailable(error)) {
    return new DatabaseUnavailable({ headers: { 'retry-after': '1' }, cause: error })
  }
  if (isForeignKeyViolation(error)) {
    return new Conflict({
      detail: 'A resource that the request refers to was deleted',
      cause: error,
    })
  }
  return new InternalError({ cause: error })
}
