import type { JsonObject } from '#app/permissions/conditions/condition_variables'
import type { AccessRequest, SubjectOrResource } from '#app/authzen/values/access_request'

/** Subjects or resources of a type. */
export type Kind = Omit<SubjectOrResource, 'id'>

interface Context {
  context?: JsonObject
}

/** Who may do it (authzen.md#searches). */
export interface SubjectSearchRequest extends Pick<AccessRequest, 'action' | 'resource'>, Context {
  subject: Kind
}

/** On what a subject may do it. */
export interface ResourceSearchRequest extends Pick<AccessRequest, 'subject' | 'action'>, Context {
  resource: Kind
}

/** What a subject may do. */
export type ActionSearchRequest = Pick<AccessRequest, 'subject' | 'resource'> & Context

export interface PageRequest {
  token?: string
  limit?: number
}

/** A search, and which page of it. */
export interface Asked<Search> {
  search: Search
  page: PageRequest
}
