/** What became of the record of an address when it was brought in line with the identity provider. */
export interface RecordChange {
  email: string
  change: 'recorded' | 'deactivated' | 'reactivated' | 'renamed' | 'identified' | 'moved'
}
