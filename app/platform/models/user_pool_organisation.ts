import { UserPoolOrganisationSchema } from '#database/schema'

/** That an organisation belongs to a user pool; to one at most. */
export default class UserPoolOrganisation extends UserPoolOrganisationSchema {}
