import { channelsOf, contrast } from '#app/notifications/rendering/contrast'
import type Brand from '#app/platform/models/brand'

const PRIMARY = '#3b5bdb'
const BACKGROUND = '#f3f4f6'
const FONT = '#1f2937'
const LIGHT = '#ffffff'
const DARK = '#111827'

/** Of small text beside the card, by preference */
const MUTED = ['#4b5563', '#d1d5db', '#000000', LIGHT]
/** WCAG 2.2, level AA */
const MIN_CONTRAST = 4.5

const COLOR =
  /^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$|^[a-z]{3,32}$|^(?:rgb|hsl)a?\([\d\s.,%/]{1,48}\)$/i

/** Values that are not colours are replaced with the defaults, because they end up in styles. */
export function brandColors({ appearance }: Brand) {
  const primary = color(appearance?.primaryColor, PRIMARY)
  const background = color(appearance?.backgroundColor, BACKGROUND)
  return {
    primary,
    onPrimary: isLight(primary) ? DARK : LIGHT,
    background,
    muted: mutedOn(background),
    font: color(appearance?.fontColor, FONT),
  }
}

function color(value: string | null | undefined, fallback: string) {
  return value && COLOR.test(value) ? value : fallback
}

/** Perceived brightness (ITU-R BT.601). Colours that are not hexadecimal count as dark. */
function isLight(value: string) {
  const rgb = channelsOf(value)
  if (rgb === null) return false
  const [red, green, blue] = rgb
  return 0.299 * red + 0.587 * green + 0.114 * blue > 170
}

/** The first colour that is readable on the background, which black or white always is. */
function mutedOn(background: string): string {
  const rgb = channelsOf(background)
  if (rgb === null) return MUTED[0]
  const [red, green, blue, alpha = 255] = rgb
  const onWhite = [red, green, blue].map((part) => 255 + ((part - 255) * alpha) / 255)
  const isReadable = (text: string) => contrast(channelsOf(text)!, onWhite) >= MIN_CONTRAST
  return MUTED.find(isReadable) ?? LIGHT
}
