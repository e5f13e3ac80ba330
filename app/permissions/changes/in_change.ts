import { errors as vineErrors } from '@vinejs/vine'
import { Problem } from '#core/exceptions/problem'
import { type FieldError, ValidationError, invalidFields } from '#core/exceptions/problems'

/**
 * Runs work for one change of a list, and adds the position of the change to its problems.
 *
 * @param index from 0
 */
export async function inChange<T>(index: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw located(error, index)
  }
}

function located(error: unknown, index: number): unknown {
  const problem =
    error instanceof vineErrors.E_VALIDATION_ERROR ? invalidFields(error.messages) : error
  if (!(problem instanceof Problem)) return error
  const { kind, message, details, headers } = problem
  const within = (field: unknown) =>
    typeof field === 'string' ? { field: ['changes', index, field].filter(isNamed).join('.') } : {}
  if (problem instanceof ValidationError && Array.isArray(details.errors)) {
    const errors = (details.errors as FieldError[]).map((each) => ({
      ...each,
      ...within(each.field),
    }))
    return new ValidationError({ detail: message, details: { ...details, errors } })
  }
  return new Problem(kind, {
    detail: message,
    details: { ...details, ...within(details.field), change: index },
    headers,
    cause: error,
  })
}

const isNamed = (part: string | number) => part !== ''
