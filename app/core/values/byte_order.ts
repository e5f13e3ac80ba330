const SURROGATE = /[\uD800-\uDFFF]/

/**
 * Compares texts as both databases do, by their bytes in UTF-8. JavaScript compares UTF-16, which
 * differs for characters of two units.
 */
export function byBytes(a: string, b: string): number {
  if (SURROGATE.test(a) || SURROGATE.test(b)) return Buffer.compare(Buffer.from(a), Buffer.from(b))
  return a < b ? -1 : Number(a > b)
}
