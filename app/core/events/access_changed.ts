import { BaseEvent } from '@adonisjs/core/events'

/**
 * Without `email`, the decisions of everybody; without `application`, those of all applications.
 */
export interface AccessScope {
  email?: string
  application?: string
  /** Only decisions that depend on conditions and are about resources of this type. */
  resourceType?: string
}

/** This process has committed a change to an input of permission checks. */
export default class AccessChanged extends BaseEvent {
  constructor(readonly scopes: AccessScope[]) {
    super()
  }
}
