import type Brand from '#app/platform/models/brand'

const PRIMARY = '#3b5bdb'
const BACKGROUND = '#f3f4f6'
const FONT = '#1f2937'
const LIGHT = '#ffffff'
const DARK = '#111827'

const COLOR =
  /^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$|^[a-z]{3,32}$|^(?:rgb|hsl)a?\([\d\s.,%/]{1,48}\)$/i

/** Values that are not colours are replaced with the defaults, because they end up in styles. */
export function brandColors({ appearance }: Brand) {
  const primary = color(appearance?.primaryColor, PRIMARY)
  return {
    primary,
    onPrimary: isLight(primary) ? DARK : LIGHT,
    background: color(appearance?.backgroundColor, BACKGROUND),
    font: color(appearance?.fontColor, FONT),
  }
}

function color(value: string | null | undefined, fallback: string) {
  return value && COLOR.test(value) ? value : fallback
}

/** Perceived brightness (ITU-R BT.601). Colours that are not hexadecimal count as dark. */
function isLight(value: string) {
  const [, digits] = /^#([\da-f]{3,8})$/i.exec(value) ?? []
  if (digits === undefined) return false
  const size = digits.length < 6 ? 1 : 2
  const [red, green, blue] = [0, 1, 2].map((index) => {
    const part = digits.slice(index * size, (index + 1) * size)
    return Number.parseInt(size === 1 ? part + part : part, 16)
  })
  return 0.299 * red + 0.587 * green + 0.114 * blue > 170
}
