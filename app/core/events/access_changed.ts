import { BaseEvent } from '@adonisjs/core/events'

/**
 * What a change may have altered: the decisions of one user, of one user in one application, of one application, or
 * (with neither) of everybody.
 */
export interface AccessScope {
  email?: string
  application?: string
}

/** Something the evaluation of permissions rests on was changed by this process, and the change is committed. */
export default class AccessChanged extends BaseEvent {
  constructor(readonly scopes: AccessScope[]) {
    super()
  }
}
