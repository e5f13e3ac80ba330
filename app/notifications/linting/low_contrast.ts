import { channelsOf, contrast } from '#app/notifications/rendering/contrast'

/** WCAG 2.2, level AA */
const MIN_CONTRAST = 4.5
/** Of large text */
const MIN_LARGE_CONTRAST = 3
const LARGE_PX = 24
const LARGE_ELEMENTS = new Set(['h1', 'h2'])

/** Of CSS, those that texts and their backgrounds usually have */
const NAMES: Record<string, string> = {
  black: '#000000',
  white: '#ffffff',
  silver: '#c0c0c0',
  gray: '#808080',
  grey: '#808080',
  red: '#ff0000',
  yellow: '#ffff00',
  lime: '#00ff00',
  aqua: '#00ffff',
  orange: '#ffa500',
  lightgray: '#d3d3d3',
  lightgrey: '#d3d3d3',
  darkgray: '#a9a9a9',
  darkgrey: '#a9a9a9',
  green: '#008000',
  blue: '#0000ff',
  navy: '#000080',
  pink: '#ffc0cb',
}
const RGB = /^rgb\((\d{1,3}),(\d{1,3}),(\d{1,3})\)$/
const DECLARATION = /(?:^|[;{\s])(color|background-color|background|font-size)\s*:([^;{}]{1,100})/gi

/** A text that is hard to read. */
export interface LowContrast {
  text: string
  background: string
  /** From 1 to 21 */
  ratio: number
}

/**
 * Compares a text colour with its background, if both are plain colours.
 *
 * @param css the declarations of one element or rule
 * @param element the element that has them; empty if it is not known
 * @param behind the background if the declarations have none; null if it is not known
 */
export function findLowContrast(
  css: string,
  element: string,
  behind: string | null
): LowContrast | null {
  const declared = new Map<string, string>()
  for (const [, name, value] of css.matchAll(DECLARATION)) {
    const property = name.toLowerCase().replace('background-color', 'background')
    declared.set(
      property,
      value
        .replace(/!important/i, '')
        .trim()
        .toLowerCase()
    )
  }
  const [text, background] = [declared.get('color'), declared.get('background') ?? behind]
  if (text === undefined || background === null) return null
  const [front, back] = [opaqueColor(text), opaqueColor(background)]
  if (front === null || back === null) return null
  const ratio = contrast(front, back)
  const size = declared.get('font-size')
  const isLarge = size === undefined ? LARGE_ELEMENTS.has(element) : pixelsOf(size) >= LARGE_PX
  return ratio < (isLarge ? MIN_LARGE_CONTRAST : MIN_CONTRAST) ? { text, background, ratio } : null
}

/** Of other units, the size on the screen is not known. */
const pixelsOf = (size: string) => (size.endsWith('px') ? Number.parseFloat(size) : 0)

/**
 * Null for anything but a plain colour, such as a placeholder, an image or a translucent colour.
 */
function opaqueColor(value: string): number[] | null {
  const rgb = RGB.exec(value.replaceAll(/\s/g, ''))
  if (rgb) return rgb.slice(1).map((part) => Math.min(Number(part), 255))
  const channels = channelsOf(NAMES[value] ?? value)
  return channels?.length === 3 ? channels : null
}
