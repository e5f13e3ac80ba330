import { ResourceSchema } from '#database/schema'

export default class Resource extends ResourceSchema {}
