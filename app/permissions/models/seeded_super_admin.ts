import { SeededSuperAdminSchema } from '#database/schema'

/** An address of SUPER_ADMINS that took effect once. */
export default class SeededSuperAdmin extends SeededSuperAdminSchema {}
