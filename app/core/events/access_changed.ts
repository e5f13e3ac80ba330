import { BaseEvent } from '@adonisjs/core/events'

/**
 * Without `email`, the decisions of everyone; without `application`, those of all applications.
 */
export interface AccessScope {
  email?: string
  application?: string
  /** Only decisions that depend on conditions and are about resources of this type. */
  resourceType?: string
}

/** This process has committed a change to an input of permission checks. */
export default class AccessChanged extends BaseEvent {
  /** @param revision undefined if it is not certain that the change was saved */
  constructor(
    readonly scopes: AccessScope[],
    readonly revision: number | undefined
  ) {
    super()
  }
}
