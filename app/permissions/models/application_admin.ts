import { ApplicationAdminSchema } from '#database/schema'

export default class ApplicationAdmin extends ApplicationAdminSchema {}
