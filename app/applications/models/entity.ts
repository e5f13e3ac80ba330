import { EntitySchema } from '#database/schema'

/** A kind of resource that an application's rights can be limited to (applications.md#entity-catalog). */
export default class Entity extends EntitySchema {}
