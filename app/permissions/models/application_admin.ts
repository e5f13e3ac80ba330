import { ApplicationAdminSchema } from '#database/schema'

/** A person who may do everything in one application. */
export default class ApplicationAdmin extends ApplicationAdminSchema {}
