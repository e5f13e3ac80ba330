/** A change of a user record that followed from the identity provider. */
export interface RecordChange {
  email: string
  change: 'recorded' | 'deactivated' | 'reactivated' | 'renamed' | 'identified' | 'moved'
}
