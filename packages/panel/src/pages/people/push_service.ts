/** Push services that only some browsers use. */
const BROWSERS: [host: RegExp, browser: string][] = [
  [/(?:^|\.)push\.services\.mozilla\.com$/, 'Firefox'],
  [/(?:^|\.)push\.apple\.com$/, 'Safari'],
  [/(?:^|\.)notify\.windows\.com$/, 'Edge'],
  [/^(?:fcm|android)\.googleapis\.com$/, 'Chrome'],
]

/** The browser that uses the push service at a host; null for unknown ones. */
export const browserOf = (host: string) =>
  BROWSERS.find(([pattern]) => pattern.test(host))?.[1] ?? null
