import { errors as vineErrors } from '@vinejs/vine'
import { Problem } from '#core/exceptions/problem'
import { invalidFields } from '#core/exceptions/problems'

/** Runs work for one place in a document, and adds the place to its problems. */
export async function atPlace<T>(place: string | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw place === undefined ? error : located(error, place)
  }
}

function located(error: unknown, place: string): unknown {
  const problem =
    error instanceof vineErrors.E_VALIDATION_ERROR ? invalidFields(error.messages) : error
  if (!(problem instanceof Problem)) return error
  const { kind, message, details, headers } = problem
  const field = [place, ...(typeof details.field === 'string' ? [details.field] : [])].join('.')
  return new Problem(kind, {
    detail: message,
    details: { ...details, field },
    headers,
    cause: error,
  })
}
