import { ProviderUserSchema } from '#database/schema'

/** What the identity provider has told of one of its users, also of those nobody here has heard of. */
export default class ProviderUser extends ProviderUserSchema {}
