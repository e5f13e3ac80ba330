import { type FieldError, invalidFields } from '#core/exceptions/problems'
import { MAX_VALIDATION_ERRORS } from '#core/validation/limited_error_reporter'
import { normalizeEmail } from '#core/values/email'
import { ACCESS_LEVELS, type AccessLevel } from '#app/permissions/values/access_level'
import { type Attributes, NO_ATTRIBUTES } from '#app/checks/values/attributes'
import { type CheckScope, checkScope } from '#app/checks/values/check_scope'

/** No stored code or id is longer. The limit also bounds the memory of the cache. */
export const MAX_TEXT_LENGTH = 255
/** Of all attributes of a check together, as JSON. */
export const MAX_ATTRIBUTE_BYTES = 16_384
const ATTRIBUTES = ['subject', 'resource', 'action', 'context'] as const

type TextField = 'app' | 'permission' | 'resourceType' | 'resourceId'

/**
 * Validates the fields of checks and searches by hand, with the same errors as Vine, which would
 * cost a fifth of a check (ADR 0003).
 */
export class RequestFields {
  protected readonly body: Record<string, unknown>
  readonly #isOwn: boolean
  readonly #errors: FieldError[] = []

  /** @param isOwn whether callers ask about themselves, so that they cannot describe the subject */
  constructor(body: Record<string, unknown>, { isOwn = false } = {}) {
    this.body = body
    this.#isOwn = isOwn
  }

  /** @describedBy check_schema#subject */
  email(): string {
    const given = this.body.email
    const email = typeof given === 'string' ? normalizeEmail(given) : null
    if (email !== null) return email
    if (given === undefined || given === null) this.missing('email')
    else this.fail('email', 'email', 'must be an e-mail address')
    return ''
  }

  protected scope(email: string, app = this.required('app')): CheckScope {
    return checkScope(email, app, this.optional('resourceType'), this.optional('resourceId'))
  }

  protected level(): AccessLevel | undefined {
    const given = this.body.level
    if (given === undefined || given === null) return undefined
    const level = ACCESS_LEVELS.find((candidate) => candidate === given)
    if (!level) {
      const choices = { choices: ACCESS_LEVELS }
      this.fail('level', 'enum', `must be one of ${ACCESS_LEVELS.join(', ')}`, choices)
    }
    return level
  }

  protected attributes(): Attributes {
    const given = this.body.attributes
    if (given === undefined || given === null) return NO_ATTRIBUTES
    if (!isObject(given)) {
      this.fail('attributes', 'object', 'must be an object')
      return NO_ATTRIBUTES
    }
    if (Buffer.byteLength(JSON.stringify(given)) > MAX_ATTRIBUTE_BYTES) {
      const limit = { max: MAX_ATTRIBUTE_BYTES }
      this.fail('attributes', 'maxBytes', `must be at most ${limit.max} bytes`, limit)
      return NO_ATTRIBUTES
    }
    const attributes: Attributes = {}
    for (const name of ATTRIBUTES) {
      const value = given[name] ?? undefined
      if (value === undefined) continue
      const field = `attributes.${name}`
      if (name === 'subject' && this.#isOwn) {
        this.fail(field, 'forbidden', 'must be left out: callers cannot describe themselves')
      } else if (isObject(value)) attributes[name] = value
      else this.fail(field, 'object', 'must be an object')
    }
    return attributes
  }

  /** @throws ValidationError with at most ten errors */
  protected finish<T>(result: T): T {
    if (this.#errors.length === 0) return result
    throw invalidFields(this.#errors)
  }

  protected required(field: TextField): string {
    return this.text(field, this.body[field]) ?? this.missing(field)
  }

  protected optional(field: TextField): string | undefined {
    return this.text(field, this.body[field])
  }

  protected text(field: string, given: unknown, max = MAX_TEXT_LENGTH): string | undefined {
    if (given === undefined || given === null) return undefined
    if (typeof given !== 'string') this.fail(field, 'string', 'must be a string')
    else if (given === '') this.fail(field, 'minLength', 'must not be empty', { min: 1 })
    else if (given.length > max) {
      this.fail(field, 'maxLength', `must have at most ${max} characters`, { max })
    } else return given
    return ''
  }

  protected missing(field: string) {
    this.fail(field, 'required', 'is required')
    return ''
  }

  protected fail(field: string, rule: string, text: string, meta = {}) {
    this.#errors.push({ field, rule, message: `${field} ${text}`, meta })
    if (this.#errors.length === MAX_VALIDATION_ERRORS) throw invalidFields(this.#errors)
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
