import { type FieldError, invalidFields } from '#core/exceptions/problems'
import { MAX_VALIDATION_ERRORS } from '#core/validation/limited_error_reporter'
import { normalizeEmail } from '#core/values/email'
import { ACCESS_LEVELS, type AccessLevel } from '#app/permissions/values/access_level'
import type { BulkCheck, Check } from '#app/checks/actions/check_permissions'
import { type Attributes, NO_ATTRIBUTES } from '#app/checks/values/attributes'
import { type CheckScope, checkScope } from '#app/checks/values/check_scope'

/** No stored code or id is longer. The limit also bounds the memory of the cache. */
export const MAX_TEXT_LENGTH = 255
export const MAX_PERMISSIONS = 500
/** Of all attributes of a check together, as JSON. */
export const MAX_ATTRIBUTE_BYTES = 16_384
const ATTRIBUTES = ['subject', 'resource', 'action', 'context'] as const

type Body = Record<string, unknown>

export type EffectiveCheck = Pick<Check, 'scope' | 'attributes'>

/**
 * Validates the bodies of the check endpoints by hand, with the same errors as Vine, which would
 * cost a fifth of the request (ADR 0003).
 */
export class CheckRequest {
  readonly #body: Body
  readonly #isOwn: boolean
  readonly #errors: FieldError[] = []

  /** @param isOwn whether callers ask about themselves, so that they cannot describe the subject */
  constructor(body: Body, { isOwn = false } = {}) {
    this.#body = body
    this.#isOwn = isOwn
  }

  /**
   * @param email of the token or from `email()`
   * @throws ValidationError with at most ten errors
   * @describedBy check_schema#singleCheck
   */
  single(email: string): Check {
    return this.#single(this.#scope(email))
  }

  /**
   * @throws ValidationError
   * @describedBy check_schema#bulkCheck
   */
  bulk(email: string): BulkCheck {
    return this.#finish({
      scope: this.#scope(email),
      permissions: this.#permissions(),
      level: this.#level(),
      attributes: this.#attributes(),
    })
  }

  /**
   * @throws ValidationError
   * @describedBy check_schema#effectiveCheck
   */
  effective(email: string): EffectiveCheck {
    return this.#effective(this.#scope(email))
  }

  /**
   * A check of another user, in the application of the path.
   *
   * @throws ValidationError
   * @describedBy check_schema#accessQuestion
   */
  singleIn(app: string, email: string): Check {
    return this.#single(this.#scope(email, app))
  }

  /**
   * @throws ValidationError
   * @describedBy check_schema#accessScope
   */
  effectiveIn(app: string, email: string): EffectiveCheck {
    return this.#effective(this.#scope(email, app))
  }

  /** @describedBy check_schema#subject */
  email(): string {
    const given = this.#body.email
    const email = typeof given === 'string' ? normalizeEmail(given) : null
    if (email !== null) return email
    if (given === undefined || given === null) this.#fail('email', 'required', 'is required')
    else this.#fail('email', 'email', 'must be an e-mail address')
    return ''
  }

  #single(scope: CheckScope): Check {
    return this.#finish({
      scope,
      permission: this.#required('permission'),
      level: this.#level(),
      attributes: this.#attributes(),
    })
  }

  #effective(scope: CheckScope): EffectiveCheck {
    return this.#finish({ scope, attributes: this.#attributes() })
  }

  #scope(email: string, app = this.#required('app')): CheckScope {
    return checkScope(email, app, this.#optional('resourceType'), this.#optional('resourceId'))
  }

  #permissions(): string[] {
    const given = this.#body.permissions
    if (given === undefined || given === null) {
      this.#missing('permissions')
      return []
    }
    if (!Array.isArray(given)) {
      this.#fail('permissions', 'array', 'must be an array')
      return []
    }
    if (given.length > MAX_PERMISSIONS) {
      const limit = { max: MAX_PERMISSIONS }
      this.#fail('permissions', 'maxLength', `must have at most ${limit.max} items`, limit)
      return []
    }
    return given.map((code, index) => {
      const field = `permissions.${index}`
      return this.#text(field, code) ?? this.#missing(field)
    })
  }

  #level(): AccessLevel | undefined {
    const given = this.#body.level
    if (given === undefined || given === null) return undefined
    const level = ACCESS_LEVELS.find((candidate) => candidate === given)
    if (!level) {
      const choices = { choices: ACCESS_LEVELS }
      this.#fail('level', 'enum', `must be one of ${ACCESS_LEVELS.join(', ')}`, choices)
    }
    return level
  }

  #attributes(): Attributes {
    const given = this.#body.attributes
    if (given === undefined || given === null) return NO_ATTRIBUTES
    if (!isObject(given)) {
      this.#fail('attributes', 'object', 'must be an object')
      return NO_ATTRIBUTES
    }
    if (Buffer.byteLength(JSON.stringify(given)) > MAX_ATTRIBUTE_BYTES) {
      const limit = { max: MAX_ATTRIBUTE_BYTES }
      this.#fail('attributes', 'maxBytes', `must be at most ${limit.max} bytes`, limit)
      return NO_ATTRIBUTES
    }
    const attributes: Attributes = {}
    for (const name of ATTRIBUTES) {
      const value = given[name] ?? undefined
      if (value === undefined) continue
      const field = `attributes.${name}`
      if (name === 'subject' && this.#isOwn) {
        this.#fail(field, 'forbidden', 'must be left out: callers cannot describe themselves')
      } else if (isObject(value)) attributes[name] = value
      else this.#fail(field, 'object', 'must be an object')
    }
    return attributes
  }

  #finish<T>(result: T): T {
    if (this.#errors.length === 0) return result
    throw this.#invalid()
  }

  #invalid() {
    return invalidFields(this.#errors)
  }

  #required(field: 'app' | 'permission'): string {
    return this.#text(field, this.#body[field]) ?? this.#missing(field)
  }

  #optional(field: 'resourceType' | 'resourceId'): string | undefined {
    return this.#text(field, this.#body[field])
  }

  #text(field: string, given: unknown): string | undefined {
    if (given === undefined || given === null) return undefined
    if (typeof given !== 'string') this.#fail(field, 'string', 'must be a string')
    else if (given === '') this.#fail(field, 'minLength', 'must not be empty', { min: 1 })
    else if (given.length > MAX_TEXT_LENGTH) {
      const limit = { max: MAX_TEXT_LENGTH }
      this.#fail(field, 'maxLength', `must have at most ${limit.max} characters`, limit)
    } else return given
    return ''
  }

  #missing(field: string) {
    this.#fail(field, 'required', 'is required')
    return ''
  }

  #fail(field: string, rule: string, text: string, meta = {}) {
    this.#errors.push({ field, rule, message: `${field} ${text}`, meta })
    if (this.#errors.length === MAX_VALIDATION_ERRORS) throw this.#invalid()
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
