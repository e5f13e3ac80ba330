import type { RouteLocationRaw } from 'vue-router'

/** A question about someone's access, as written in the URL of "Why?". */
export interface AccessQuestion {
  email?: string
  permission?: string
  level?: string
  resourceType?: string
  resourceId?: string
}

const inApp = (appCode: string, path = '') => `/apps/${encodeURIComponent(appCode)}${path}`

/** Where screens are, for the links between them. */
export const paths = {
  application: (appCode: string) => inApp(appCode),
  instances: (appCode: string) => inApp(appCode, '/instances'),
  keys: (appCode: string) => inApp(appCode, '/keys'),
  entities: (appCode: string) => inApp(appCode, '/entities'),
  /** The catalogued resources of an entity. */
  resources: (appCode: string, entityId: number) =>
    inApp(appCode, `/entities/${entityId}/resources`),
  roles: (appCode: string) => inApp(appCode, '/roles'),
  role: (appCode: string, id: number) => inApp(appCode, `/roles/${id}`),
  /** All roles, those that match, or two, as in `compare: '1,2'`. */
  matrix: (
    appCode: string,
    query: { search?: string; roles?: string; compare?: string } = {}
  ): RouteLocationRaw => ({ path: inApp(appCode, '/matrix'), query }),
  permissions: (appCode: string) => inApp(appCode, '/permissions'),
  permission: (appCode: string, id: number) => inApp(appCode, `/permissions/${id}`),
  people: (appCode: string) => inApp(appCode, '/people'),
  administrators: (appCode: string) => inApp(appCode, '/administrators'),
  /** The overrides of a user, or on a resource, or all. */
  overrides: (
    appCode: string,
    query: { email?: string; resourceType?: string; resourceId?: string } = {}
  ): RouteLocationRaw => ({ path: inApp(appCode, '/overrides'), query }),
  messages: (appCode: string) => inApp(appCode, '/messages'),
  messageDays: (appCode: string) => inApp(appCode, '/messages/days'),
  message: (appCode: string, id: number) => inApp(appCode, `/messages/${id}`),
  /** What was sent to an address, by all applications. */
  messagesTo: (recipient: string): RouteLocationRaw => ({
    path: '/messages',
    query: { recipient },
  }),
  suppressions: () => '/suppressions',
  bounces: (email?: string): RouteLocationRaw => ({
    path: '/suppressions/bounces',
    query: email ? { email } : {},
  }),
  broadcasts: (appCode: string) => inApp(appCode, '/broadcasts'),
  newBroadcast: (appCode: string) => inApp(appCode, '/broadcasts/new'),
  broadcast: (appCode: string, id: number) => inApp(appCode, `/broadcasts/${id}`),
  webhooks: (appCode: string) => inApp(appCode, '/webhooks'),
  webhook: (appCode: string, id: number) => inApp(appCode, `/webhooks/${id}`),
  /** @param changes as `toText` of the page writes them */
  whatIf: (appCode: string, changes: string): RouteLocationRaw => ({
    path: inApp(appCode, '/what-if'),
    query: { changes },
  }),
  why: (appCode: string, question: AccessQuestion = {}): RouteLocationRaw => ({
    path: inApp(appCode, '/why'),
    query: { ...question },
  }),
  /** Everyone who may do something. */
  who: (
    appCode: string,
    question: { permission?: string; resourceType?: string; resourceId?: string }
  ): RouteLocationRaw => ({ path: inApp(appCode, '/who'), query: { ...question } }),
  /** Who has what in an application, all of it or of one user. */
  review: (appCode: string, query: { email?: string } = {}): RouteLocationRaw => ({
    path: inApp(appCode, '/review'),
    query,
  }),
  notificationTypes: (appCode: string) => inApp(appCode, '/types'),
  notificationType: (appCode: string, type: string) =>
    inApp(appCode, `/types/${encodeURIComponent(type)}`),
  /** The editor of a template. */
  template: (appCode: string, type: string, id: number) =>
    inApp(appCode, `/types/${encodeURIComponent(type)}/templates/${id}`),
  /** A part of what there is about the identity provider. */
  provider: (part: 'status' | 'setup' | 'organisations' | 'reconciliations' | 'guide') =>
    part === 'status' ? '/provider' : `/provider/${part}`,
  organisation: (id: string) => `/provider/organisations/${encodeURIComponent(id)}`,
  /** A step of the guide. */
  guide: (step: string) => `/provider/guide/${step}`,
  brands: () => '/brands',
  brand: (id: number) => `/brands/${id}`,
  person: (email: string, part = '') => `/people/${encodeURIComponent(email)}${part}`,
}
