import type { HttpContext } from '@adonisjs/core/http'
import { invalidField } from '#core/exceptions/problems'
import { isCleanText } from '#core/values/clean_text'
import { normalizeEmail } from '#core/values/email'
import { MAX_ID } from '#core/values/identifiers'

const MAX_LENGTH = 1_024
/** An id that no row has. */
const NO_ID = 0

/** Ids that are too large match no row (conventions.md#identifiers). @throws ValidationError */
export function idParam({ params }: HttpContext, name: string): number {
  const value = String(params[name])
  const id = Number(value)
  if (!/^\d{1,16}$/.test(value) || !Number.isSafeInteger(id) || id < 1) {
    throw invalidField(name, 'id', `The path parameter ${name} must be a positive integer`)
  }
  return id > MAX_ID ? NO_ID : id
}

export function emailParam({ params }: HttpContext, name = 'email'): string {
  const email = normalizeEmail(String(params[name]))
  if (email === null) {
    throw invalidField(name, 'email', `The path parameter ${name} must be an e-mail address`)
  }
  return email
}

export function textParam({ params }: HttpContext, name: string, maxLength = MAX_LENGTH): string {
  const value = String(params[name])
  if (!isCleanText(value) || value.length > maxLength) {
    throw invalidField(
      name,
      'cleanText',
      `The path parameter ${name} must have at most ${maxLength} characters and no NUL characters`,
      { max: maxLength }
    )
  }
  return value
}
