import type { Scene } from '#tests/access/scene'

/**
 * Who may call what (authentication.md#access-requirements). A column is what endpoints ask for:
 *
 * - `anyone` nothing
 * - `internal` the platform's internal key, `ownInternal` that or a key of the application that the
 *   request names, `anyInternal` that or a key of any application
 * - `provider` the webhook secret, `signed` a signature over the body, which no caller here has
 * - `authzen` the private network, or the token of a listed client, which no caller here has
 * - `own` any valid token; `active` the token of an active user, which all others need too
 * - `view`, `edit` that panel level on the application in the path
 * - `tplView`, `tplEdit` that level on the application of the template in the path, which is hidden
 *   from users without a level
 * - `panel` any panel level, `users` a caller who can read users, `global` a global panel admin,
 *   `super` a super admin
 *
 * A row is what a caller gets: 401, 403, 404 or past the guard. `key` is the platform's internal
 * key; `ownKey` and `otherKey` are keys of the application and of another one; `exKey` has expired.
 * Callers with a token are users with these rights and no others:
 *
 * - `manager` the role `application_manager` alone
 * - `override` `edit` on the application through an override, without that role
 * - `view`, `edit` that level on the application through an override, with the role
 * - `otherAdmin`, `admin` administrator of another application, of the application
 * - `global` the role `panel_admin`
 * - `exEdit`, `exAdmin`, `exGlobal`, `exSuper` as above, with a user record that was deactivated
 */
// prettier-ignore
const TABLE = {
  kinds:     'anyone internal ownInternal anyInternal provider signed authzen own   active view edit tplView tplEdit panel users global super',
  nobody:    'pass    401      401         401         401      401    pass    401   401    401  401  401     401     401   401   401    401',
  garbage:   'pass    401      401         401         401      401    401     401   401    401  401  401     401     401   401   401    401',
  key:       'pass    pass     pass        pass        401      401    pass    401   401    401  401  401     401     401   401   401    401',
  wrongKey:  'pass    401      401         401         401      401    pass    401   401    401  401  401     401     401   401   401    401',
  ownKey:    'pass    403      pass        pass        401      401    pass    401   401    401  401  401     401     401   401   401    401',
  otherKey:  'pass    403      403         pass        401      401    pass    401   401    401  401  401     401     401   401   401    401',
  exKey:     'pass    401      401         401         401      401    pass    401   401    401  401  401     401     401   401   401    401',
  hook:      'pass    401      401         401         pass     401    pass    401   401    401  401  401     401     401   401   401    401',
  user:      'pass    401      401         401         401      401    403     pass  pass   403  403  404     404     403   403   403    403',
  manager:   'pass    401      401         401         401      401    403     pass  pass   403  403  404     404     403   403   403    403',
  override:  'pass    401      401         401         401      401    403     pass  pass   403  403  404     404     403   403   403    403',
  otherAdmin:'pass    401      401         401         401      401    403     pass  pass   403  403  404     404     pass  pass  403    403',
  view:      'pass    401      401         401         401      401    403     pass  pass   pass 403  pass    403     pass  403   403    403',
  edit:      'pass    401      401         401         401      401    403     pass  pass   pass pass pass    pass    pass  403   403    403',
  admin:     'pass    401      401         401         401      401    403     pass  pass   pass pass pass    pass    pass  pass  403    403',
  global:    'pass    401      401         401         401      401    403     pass  pass   pass pass pass    pass    pass  pass  pass   403',
  super:     'pass    401      401         401         401      401    403     pass  pass   pass pass pass    pass    pass  pass  pass   pass',
  exEdit:    'pass    401      401         401         401      401    403     pass  403    403  403  403     403     403   403   403    403',
  exAdmin:   'pass    401      401         401         401      401    403     pass  403    403  403  403     403     403   403   403    403',
  exGlobal:  'pass    401      401         401         401      401    403     pass  403    403  403  403     403     403   403   403    403',
  exSuper:   'pass    401      401         401         401      401    403     pass  403    403  403  403     403     403   403   403    403',
} as const

const { kinds, ...callers } = TABLE

/** The words of a text that spaces separate. */
type Words<Text extends string> = Text extends `${infer First} ${infer Rest}`
  ? Words<First> | Words<Rest>
  : Text extends ''
    ? never
    : Text

export const CALLERS = callers
export type Kind = Words<typeof kinds>
export const KINDS = kinds.split(/ +/) as Kind[]

export type Caller = keyof typeof CALLERS

/** What a request carries: the query of a GET, a form, else JSON. */
export type Body = (appCode: string) => object

/** A body that names what must exist. */
export type BodyInScene = (scene: Scene) => object | Promise<object>

/**
 * What a route asks for, and a valid body with all its fields. Where such a body names what must
 * exist, the second one does.
 */
export type RouteAccess = Kind | [Kind, Body] | [Kind, Body | undefined, BodyInScene]

/** Makes what a path parameter names. */
export type Parameter = (scene: Scene) => Promise<string | number> | string

export interface SectionAccess {
  /** Every route of the section, as `METHOD pattern`. */
  routes: Record<string, RouteAccess>
  /** By the segments around the parameter: one or two before it, or two before and one after. */
  parameters?: Record<string, Parameter>
}
