import { SuperAdminSchema } from '#database/schema'

/** A person who may do everything everywhere. */
export default class SuperAdmin extends SuperAdminSchema {}
