/** What mails have where a brand has no colour of its own. */
export const BUILT_IN_COLOURS = {
  primaryColor: '#3b5bdb',
  backgroundColor: '#f3f4f6',
  fontColor: '#1f2937',
} as const
