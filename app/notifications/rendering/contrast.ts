/** Red, green, blue and perhaps alpha, from 0 to 255; null if the colour is not hexadecimal. */
export function channelsOf(value: string): number[] | null {
  const [, digits] = /^#([\da-f]{3,8})$/i.exec(value) ?? []
  if (digits === undefined) return null
  const size = digits.length < 6 ? 1 : 2
  return Array.from({ length: Math.floor(digits.length / size) }, (_, index) => {
    const part = digits.slice(index * size, (index + 1) * size)
    return Number.parseInt(size === 1 ? part + part : part, 16)
  })
}

/** The contrast ratio of WCAG 2.2, from 1 to 21. */
export function contrast(one: number[], other: number[]): number {
  const [first, second] = [luminance(one) + 0.05, luminance(other) + 0.05]
  return Math.max(first, second) / Math.min(first, second)
}

function luminance(rgb: number[]): number {
  const [red, green, blue] = rgb.map((part) =>
    part <= 0.04045 * 255 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
