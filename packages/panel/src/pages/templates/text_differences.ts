import { diffLines } from 'diff'

/** Lines of two texts. Long stretches that are the same are left out. */
export interface DifferenceLine {
  kind: 'same' | 'removed' | 'added' | 'gap'
  text: string
}

/** How many lines that are the same are shown around a difference. */
const CONTEXT = 2

export function differencesOf(before: string, after: string): DifferenceLine[] {
  const parts = diffLines(ended(before), ended(after)).map(({ added, removed, value }) => ({
    kind: added ? ('added' as const) : removed ? ('removed' as const) : ('same' as const),
    lines: value.replace(/\n$/, '').split('\n'),
  }))
  return parts.flatMap(({ kind, lines }, index): DifferenceLine[] => {
    const all = lines.map((text) => ({ kind, text }))
    if (kind !== 'same') return all
    const first = index === 0 ? 0 : CONTEXT
    const last = index === parts.length - 1 ? 0 : CONTEXT
    if (lines.length <= first + last + 1) return all
    const gap = { kind: 'gap' as const, text: '' }
    return [...all.slice(0, first), gap, ...all.slice(lines.length - last)]
  })
}

/** A missing newline at the end is no difference. */
const ended = (text: string) => (text === '' || text.endsWith('\n') ? text : `${text}\n`)
