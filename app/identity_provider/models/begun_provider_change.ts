import { BegunProviderChangeSchema } from '#database/schema'

/**
 * What is being changed at the provider. `entry` is the audit entry, in case the process dies
 * before it can tell what became of the change.
 */
export default class BegunProviderChange extends BegunProviderChangeSchema {}
