import { EntitySchema } from '#database/schema'

export default class Entity extends EntitySchema {}
