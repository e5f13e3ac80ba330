import { EntitySchema } from '#database/schema'

/** See applications.md#entity-catalog. */
export default class Entity extends EntitySchema {}
