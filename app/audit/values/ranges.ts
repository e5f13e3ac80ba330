/** Ascending numbers as text, such as `1-40,57`. */
export function formatRanges(numbers: number[]): string {
  const ranges: [first: number, last: number][] = []
  for (const number of numbers) {
    const range = ranges.at(-1)
    if (range && range[1] === number - 1) range[1] = number
    else ranges.push([number, number])
  }
  return ranges.map(([first, last]) => (first === last ? first : `${first}-${last}`)).join(',')
}

/** @returns the ends of each range */
export function parseRanges(text: string): [first: number, last: number][] {
  return text
    .split(',')
    .filter((range) => range !== '')
    .map((range) => {
      const [first, last = first] = range.split('-').map(Number)
      return [first, last]
    })
}
