const SVG = 'http://www.w3.org/2000/svg'

const PATHS = {
  bell: 'M6 9a6 6 0 1 1 12 0c0 5 2 6 2 7H4c0-1 2-2 2-7M10 20a2 2 0 0 0 4 0',
  close: 'M6 6l12 12M18 6L6 18',
  settings: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 5v4M9 15v4',
  back: 'M15 5l-7 7 7 7',
  read: 'M5 12l5 5 9-10',
  unread: 'M12 8a4 4 0 1 0 0 8a4 4 0 1 0 0-8',
  archive: 'M4 5h16v4H4zM6 9v10h12V9M10 13h4',
  unarchive: 'M4 14h5l1 2h4l1-2h5M4 14v5h16v-5M12 11V3M8 7l4-4 4 4',
  snooze: 'M12 4a8 8 0 1 0 0 16a8 8 0 1 0 0-16M12 8v4l3 2',
}

export type Icon = keyof typeof PATHS

/** A drawing in the colour of the text, which screen readers skip. */
export function icon(name: Icon): SVGElement {
  const svg = document.createElementNS(SVG, 'svg')
  const path = document.createElementNS(SVG, 'path')
  path.setAttribute('d', PATHS[name])
  svg.setAttribute('viewBox', '0 0 24 24')
  svg.setAttribute('aria-hidden', 'true')
  svg.append(path)
  return svg
}
