/**
 * Some of the users who are numbered from 0, one bit each. Sets of very many users are combined
 * quickly with `|`, `&` and `^`.
 */
export type UserSet = bigint

const NIBBLE_SIZES = new Map([...'0123456789abcdef'].map((digit) => [digit, onesOf(digit)]))

function onesOf(digit: string): number {
  return Number.parseInt(digit, 16).toString(2).replaceAll('0', '').length
}

/** @param numbers each less than `total` */
export function userSet(numbers: readonly number[], total: number): UserSet {
  const bytes = new Uint8Array(Math.ceil(total / 8))
  for (const number of numbers) bytes[number >> 3]! |= 1 << (number & 7)
  return BigInt(`0x0${Buffer.from(bytes.buffer).toString('hex')}`)
}

/** The number of users. */
export function sizeOf(users: UserSet): number {
  let size = 0
  for (const digit of users.toString(16)) size += NIBBLE_SIZES.get(digit)!
  return size
}
