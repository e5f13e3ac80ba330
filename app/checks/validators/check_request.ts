import type { BulkCheck, Check } from '#app/checks/actions/check_permissions'
import { RequestFields } from '#app/checks/validators/request_fields'
import type { CheckScope } from '#app/checks/values/check_scope'

export const MAX_PERMISSIONS = 500

export type EffectiveCheck = Pick<Check, 'scope' | 'attributes'>

/** The body of a check. */
export class CheckRequest extends RequestFields {
  /**
   * @param email of the token or from `email()`
   * @throws ValidationError with at most ten errors
   * @describedBy check_schema#singleCheck
   */
  single(email: string): Check {
    return this.#single(this.scope(email))
  }

  /**
   * @throws ValidationError
   * @describedBy check_schema#bulkCheck
   */
  bulk(email: string): BulkCheck {
    return this.finish({
      scope: this.scope(email),
      permissions: this.#permissions(),
      level: this.level(),
      attributes: this.attributes(),
    })
  }

  /**
   * @throws ValidationError
   * @describedBy check_schema#effectiveCheck
   */
  effective(email: string): EffectiveCheck {
    return this.#effective(this.scope(email))
  }

  /**
   * A check of another user, in the application of the path.
   *
   * @throws ValidationError
   * @describedBy check_schema#accessQuestion
   */
  singleIn(app: string, email: string): Check {
    return this.#single(this.scope(email, app))
  }

  /**
   * @throws ValidationError
   * @describedBy check_schema#accessScope
   */
  effectiveIn(app: string, email: string): EffectiveCheck {
    return this.#effective(this.scope(email, app))
  }

  #single(scope: CheckScope): Check {
    return this.finish({
      scope,
      permission: this.required('permission'),
      level: this.level(),
      attributes: this.attributes(),
    })
  }

  #effective(scope: CheckScope): EffectiveCheck {
    return this.finish({ scope, attributes: this.attributes() })
  }

  #permissions(): string[] {
    const given = this.body.permissions
    if (given === undefined || given === null) {
      this.missing('permissions')
      return []
    }
    if (!Array.isArray(given)) {
      this.fail('permissions', 'array', 'must be an array')
      return []
    }
    if (given.length > MAX_PERMISSIONS) {
      const limit = { max: MAX_PERMISSIONS }
      this.fail('permissions', 'maxLength', `must have at most ${limit.max} items`, limit)
      return []
    }
    return given.map((code, index) => {
      const field = `permissions.${index}`
      return this.text(field, code) ?? this.missing(field)
    })
  }
}
