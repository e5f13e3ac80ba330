export interface RecordChange {
  email: string
  change: 'recorded' | 'deactivated' | 'reactivated' | 'renamed' | 'identified' | 'moved'
}
