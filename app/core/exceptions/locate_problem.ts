import { errors as vineErrors } from '@vinejs/vine'
import { Problem } from '#core/exceptions/problem'
import { type FieldError, ValidationError, invalidFields } from '#core/exceptions/problems'

/**
 * What is wrong with one part of a request, as a problem of the request: the fields that it names
 * begin with the place of the part.
 *
 * @param place such as `changes.2`
 * @param known details that other problems than validation errors have, too
 */
export function locateProblem(error: unknown, place: string, known: object = {}): unknown {
  const problem =
    error instanceof vineErrors.E_VALIDATION_ERROR ? invalidFields(error.messages) : error
  if (!(problem instanceof Problem)) return error
  const { kind, message, details, headers } = problem
  const within = (field: unknown) =>
    typeof field === 'string' ? { field: field === '' ? place : `${place}.${field}` } : {}
  if (problem instanceof ValidationError && Array.isArray(details.errors)) {
    const errors = (details.errors as FieldError[]).map((each) => {
      return { ...each, ...within(each.field) }
    })
    return new ValidationError({ detail: message, details: { ...details, errors } })
  }
  return new Problem(kind, {
    detail: message,
    details: { ...known, ...details, ...within(details.field) },
    headers,
    cause: error,
  })
}
