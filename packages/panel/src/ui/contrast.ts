/** Red, green and blue from 0 to 255; null if it is no hexadecimal colour without transparency. */
function channelsOf(colour: string): [number, number, number] | null {
  const [, digits] = /^#([\da-f]{3}|[\da-f]{6})$/i.exec(colour) ?? []
  if (digits === undefined) return null
  const six = digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits
  const value = Number.parseInt(six, 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

function luminance(channels: [number, number, number]): number {
  const [red, green, blue] = channels.map((part) =>
    part <= 0.040_45 * 255 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4
  ) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** The contrast ratio of WCAG 2.2, from 1 to 21; null if one cannot be read. */
export function contrast(one: string, other: string): number | null {
  const [first, second] = [channelsOf(one), channelsOf(other)]
  if (first === null || second === null) return null
  const [low, high] = [luminance(first), luminance(second)].sort((a, b) => a - b)
  return (high! + 0.05) / (low! + 0.05)
}

/** WCAG 2.2, level AA: for text, and for large text. */
export const TEXT_CONTRAST = 4.5
export const LARGE_CONTRAST = 3

const LIGHT = '#ffffff'
const DARK = '#111827'

/** The more readable colour for text on a colour. */
export const readableOn = (colour: string) =>
  (contrast(DARK, colour) ?? 1) > (contrast(LIGHT, colour) ?? 21) ? DARK : LIGHT
