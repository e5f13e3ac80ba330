/** Lists highlight what ends within this many days. */
export const SOON_DAYS = 7

const DAY_MS = 86_400_000

/** Whether it counts now and ends within the next days. */
export function isEndingSoon({ validUntil, state }: { validUntil: string | null; state: string }) {
  if (state !== 'active' || validUntil === null) return false
  return Date.parse(validUntil) - Date.now() <= SOON_DAYS * DAY_MS
}
