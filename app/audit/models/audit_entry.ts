import { AuditEntrySchema } from '#database/schema'

/** A change, as it was recorded with it. Entries are added by `recordChange`. */
export default class AuditEntry extends AuditEntrySchema {}
