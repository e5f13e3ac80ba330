/** How a brand looks in mails and pages. Null means the built-in default. */
export interface Appearance {
  primaryColor: string | null
  backgroundColor: string | null
  fontColor: string | null
  logoUrl: string | null
  iconUrl: string | null
}

export const PLAIN_APPEARANCE: Appearance = {
  primaryColor: null,
  backgroundColor: null,
  fontColor: null,
  logoUrl: null,
  iconUrl: null,
}
