import { ProviderUserSchema } from '#database/schema'

/** What the identity provider reported about one of its users, even if they have no record here. */
export default class ProviderUser extends ProviderUserSchema {}
