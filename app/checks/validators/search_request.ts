import { MAX_SEARCH_LIMIT, type SearchPageRequest } from '#app/checks/actions/search_candidates'
import type { ResourceSearch } from '#app/checks/actions/search_resources'
import type { SubjectSearch } from '#app/checks/actions/search_subjects'
import type { EffectiveCheck } from '#app/checks/validators/check_request'
import { RequestFields } from '#app/checks/validators/request_fields'

/** A cursor has at most a resource id, encrypted. */
export const MAX_CURSOR_LENGTH = 4_096

export interface SearchRequestOf<Search> {
  search: Search
  page: SearchPageRequest
}

/** The body of a search. */
export class SearchRequest extends RequestFields {
  /**
   * @throws ValidationError with at most ten errors
   * @describedBy search_schema#subjectSearch
   */
  subjects(): SearchRequestOf<SubjectSearch> {
    return this.#subjects(this.required('app'))
  }

  /**
   * In the application of the path.
   *
   * @throws ValidationError
   * @describedBy search_schema#subjectSearchIn
   */
  subjectsIn(app: string): SearchRequestOf<SubjectSearch> {
    return this.#subjects(app)
  }

  /**
   * @param email of the token or from `email()`
   * @throws ValidationError
   * @describedBy search_schema#resourceSearch
   */
  resources(email: string): SearchRequestOf<ResourceSearch> {
    const scope = {
      email,
      app: this.required('app'),
      resourceType: this.required('resourceType'),
    }
    return this.finish({ search: { scope, ...this.#question() }, page: this.#page() })
  }

  /**
   * @param email of the token or from `email()`
   * @throws ValidationError
   * @describedBy check_schema#effectiveCheck
   */
  permissions(email: string): EffectiveCheck {
    return this.finish({ scope: this.scope(email), attributes: this.attributes() })
  }

  #subjects(app: string): SearchRequestOf<SubjectSearch> {
    const { resourceType, resourceId } = this.scope('', app)
    const scope = { app, resourceType, resourceId }
    return this.finish({ search: { scope, ...this.#question() }, page: this.#page() })
  }

  #question() {
    return {
      permission: this.required('permission'),
      level: this.level(),
      attributes: this.attributes(),
    }
  }

  #page(): SearchPageRequest {
    return { limit: this.#limit(), cursor: this.#cursor(), count: this.#count() }
  }

  #limit(): number | undefined {
    const given = this.body.limit
    if (given === undefined || given === null) return undefined
    const range = { min: 1, max: MAX_SEARCH_LIMIT }
    if (typeof given !== 'number') this.fail('limit', 'number', 'must be a number')
    else if (given < range.min || given > range.max) {
      this.fail('limit', 'range', `must be between ${range.min} and ${range.max}`, range)
    } else if (!Number.isInteger(given)) {
      this.fail('limit', 'withoutDecimals', 'must be a whole number')
    } else return given
    return undefined
  }

  #cursor(): string | undefined {
    return this.text('cursor', this.body.cursor, MAX_CURSOR_LENGTH)
  }

  #count(): boolean | undefined {
    const given = this.body.count
    if (given === undefined || given === null) return undefined
    if (typeof given === 'boolean') return given
    this.fail('count', 'boolean', 'must be true or false')
    return undefined
  }
}
