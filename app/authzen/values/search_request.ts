import type { JsonObject } from '#app/permissions/conditions/condition'
import type { AccessRequest, Thing } from '#app/authzen/values/access_request'

/** A thing of which only the type is known. */
export type Kind = Omit<Thing, 'id'>

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
