import { Settings } from 'luxon'

/** The service's clock, which Luxon shares, in milliseconds since 1970. */
export function currentTime(): number {
  return Settings.now()
}
