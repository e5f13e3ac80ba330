import { EntitySchema } from '#database/schema'

/** A kind of resource that an application's rights can be limited to (specification 2.7). */
export default class Entity extends EntitySchema {}
