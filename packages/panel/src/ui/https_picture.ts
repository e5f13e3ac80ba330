/** An address that the policy of the panel lets the browser show, which is one with https. */
export const httpsPicture = (url: string | null): string | null =>
  url?.startsWith('https://') && URL.canParse(url) ? url : null
