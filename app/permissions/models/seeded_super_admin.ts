import { SeededSuperAdminSchema } from '#database/schema'

/** An address from `SUPER_ADMINS` that was already seeded. */
export default class SeededSuperAdmin extends SeededSuperAdminSchema {}
