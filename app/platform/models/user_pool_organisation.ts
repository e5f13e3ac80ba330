import { UserPoolOrganisationSchema } from '#database/schema'

export default class UserPoolOrganisation extends UserPoolOrganisationSchema {}
