import { type FieldError, invalidFields } from '#core/exceptions/problems'
import { MAX_VALIDATION_ERRORS } from '#core/validation/limited_error_reporter'
import { normalizeEmail } from '#core/values/email'
import { ACCESS_LEVELS, type AccessLevel } from '#app/permissions/values/access_level'
import { type CheckScope, checkScope } from '#app/checks/values/check_scope'

/** No stored code or id is longer. The limit also bounds the memory of the cache. */
export const MAX_TEXT_LENGTH = 255
export const MAX_PERMISSIONS = 500

type Body = Record<string, unknown>

/**
 * Validates the bodies of the check endpoints by hand, with the same errors as Vine, which would
 * cost a fifth of the request (ADR 0003).
 */
export class CheckRequest {
  readonly #body: Body
  readonly #errors: FieldError[] = []

  constructor(body: Body) {
    this.#body = body
  }

  /**
   * @param email of the token or from `email()`
   * @throws ValidationError with at most ten errors
   * @describedBy check_schema#singleCheck
   */
  single(email: string): [scope: CheckScope, permission: string, level?: AccessLevel] {
    return this.#finish([this.#scope(email), this.#required('permission'), this.#level()])
  }

  /**
   * @throws ValidationError
   * @describedBy check_schema#bulkCheck
   */
  bulk(email: string): [scope: CheckScope, permissions: string[], level?: AccessLevel] {
    return this.#finish([this.#scope(email), this.#permissions(), this.#level()])
  }

  /**
   * @throws ValidationError
   * @describedBy check_schema#effectiveCheck
   */
  effective(email: string): CheckScope {
    return this.#finish(this.#scope(email))
  }

  /**
   * A check of another person, in the application of the path.
   *
   * @throws ValidationError
   * @describedBy check_schema#accessQuestion
   */
  singleIn(
    app: string,
    email: string
  ): [scope: CheckScope, permission: string, level?: AccessLevel] {
    return this.#finish([this.#scope(email, app), this.#required('permission'), this.#level()])
  }

  /**
   * @throws ValidationError
   * @describedBy check_schema#accessScope
   */
  effectiveIn(app: string, email: string): CheckScope {
    return this.#finish(this.#scope(email, app))
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
