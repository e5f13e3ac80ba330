import { InstanceSchema } from '#database/schema'

/** One deployment of an application, with the URLs its login may return to. */
export default class Instance extends InstanceSchema {}
