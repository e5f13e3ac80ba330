import { SuperAdminSchema } from '#database/schema'

export default class SuperAdmin extends SuperAdminSchema {}
