/** Null, undefined, lists and objects become an empty string (notifications.md#values-as-text). */
export function formatValue(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : ''
  return typeof value === 'boolean' || typeof value === 'bigint' ? String(value) : ''
}
