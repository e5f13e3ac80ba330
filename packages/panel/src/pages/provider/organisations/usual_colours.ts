/** What the provider shows if an organisation has no colour of its own. */
export const USUAL_COLOURS = {
  light: { primary: '#5469d4', background: '#fafafa', font: '#000000' },
  dark: { primary: '#2073c4', background: '#111827', font: '#ffffff' },
} as const
