/** The trimmed, non-empty parts of a comma-separated setting. */
export function commaSeparated(value: string | undefined): string[] {
  return (value ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
