const MOST_LINES = 40

/**
 * Lists differences, such as `changed paths › /api/check › post › summary`.
 * @param before JSON; anything else counts as an empty document
 */
export function describeDifference(before: string, after: string): string[] {
  const lines = [...differences(parse(before), parse(after), [])]
  if (lines.length <= MOST_LINES) return lines
  return [...lines.slice(0, MOST_LINES), `… and ${lines.length - MOST_LINES} more`]
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

function* differences(before: unknown, after: unknown, path: string[]): Generator<string> {
  if (!isObject(before) || !isObject(after)) {
    if (JSON.stringify(before) === JSON.stringify(after)) return
    yield `changed ${path.join(' › ')}: ${short(before)} → ${short(after)}`
    return
  }
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const inner = [...path, key]
    if (!(key in before)) yield `added ${inner.join(' › ')}`
    else if (!(key in after)) yield `removed ${inner.join(' › ')}`
    else yield* differences(before[key], after[key], inner)
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function short(value: unknown) {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}
