import type { Client } from 'openapi-fetch'
import type { operations, paths } from './api.ts'
import { type Resource, requireComplete } from './checks/question.ts'
import type { JsonBody, JsonData, Level } from './types.ts'
import { pages } from './pages.ts'
import { unwrap } from './unwrap.ts'

/** What conditions can look at besides what is stored. */
export type Attributes = NonNullable<JsonBody<operations['checks.checks.check']>['attributes']>

interface Question {
  app: string
  attributes?: Attributes
}

interface Paged {
  /** Entries per page, up to 1,000. Default 100. */
  limit?: number
  /** Whether to count all results; by default, if there are few. */
  count?: boolean
}

/** Who may do something. */
export interface SubjectQuestion extends Question, Paged {
  permission: string
  level?: Level
  /** Without a resource, the question is about the application as a whole. */
  resource?: Resource
}

/** On which resources someone may do something; without `email`, the owner of the token. */
export interface ResourceQuestion extends Question, Paged {
  email?: string
  permission: string
  level?: Level
  resourceType: string
}

/** What someone may do; without `email`, the owner of the token. */
export interface PermissionQuestion extends Question {
  email?: string
  resource?: Resource
}

export type SubjectPage = JsonData<operations['checks.searches.subjects']>
export type ResourcePage = JsonData<operations['checks.searches.resources']>
/** All of them. */
export type FoundPermissions = Omit<
  JsonData<operations['checks.searches.permissions']>,
  'nextCursor'
>

export interface Search {
  /**
   * The users to whom a check is allowed, page after page. For servers on the private network.
   *
   * @throws ConciergeProblem, ConciergeUnreachable, or TypeError for an incomplete question
   *
   * @example
   * const pages = concierge.search.subjects({ app: 'shop', permission: 'orders' })
   * for await (const { results } of pages) …
   */
  subjects(question: SubjectQuestion): AsyncGenerator<SubjectPage>
  /**
   * The resources on which a check is allowed, page after page. With `email`, for servers on the
   * private network.
   *
   * @throws ConciergeProblem, ConciergeUnreachable, or TypeError for an incomplete question
   */
  resources(question: ResourceQuestion): AsyncGenerator<ResourcePage>
  /**
   * The permissions that a user holds. With `email`, for servers on the private network.
   *
   * @throws ConciergeProblem, ConciergeUnreachable, or TypeError for an incomplete question
   */
  permissions(question: PermissionQuestion): Promise<FoundPermissions>
}

export function searchWith(api: Client<paths>): Search {
  return {
    subjects(question) {
      const { resource, ...fields } = complete(question)
      const body = { ...fields, ...where(resource) }
      return pages(async (cursor) => {
        const found = api.POST('/api/check/search/subjects', { body: { ...body, ...cursor } })
        return (await unwrap(found)).data
      })
    },
    resources(question) {
      const { email, ...body } = complete(question)
      return pages(async (cursor) => {
        if (email === undefined) {
          const path = '/api/profile/me/check/search/resources'
          return unwrap(api.POST(path, { body: { ...body, ...cursor } }))
        }
        const path = '/api/check/search/resources'
        return (await unwrap(api.POST(path, { body: { email, ...body, ...cursor } }))).data
      })
    },
    async permissions(question) {
      const { email, resource, ...fields } = complete(question)
      const body = { ...fields, ...where(resource) }
      if (email === undefined) {
        return unwrap(api.POST('/api/profile/me/check/search/permissions', { body }))
      }
      const path = '/api/check/search/permissions'
      return (await unwrap(api.POST(path, { body: { email, ...body } }))).data
    },
  }
}

/** @throws TypeError: an incomplete question would ask something else */
function complete<Asked extends SubjectQuestion | ResourceQuestion | PermissionQuestion>(
  question: Asked
): Asked {
  requireComplete(question)
  return question
}

function where(resource: Resource | undefined) {
  return resource && { resourceType: resource.type, resourceId: resource.id }
}
