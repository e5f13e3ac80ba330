/** Facts for the log. Messages of database drivers are omitted because they quote bound values. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error }
  const code = 'code' in error ? String(error.code) : undefined
  const fromDatabase = code !== undefined && /^(SQLITE_|[0-9A-Z]{5}$)/.test(code)
  return {
    type: error.name,
    code,
    message: fromDatabase ? undefined : error.message,
    stack: error.stack
      ?.split('\n')
      .filter((line) => line.trimStart().startsWith('at '))
      .join('\n'),
    cause: error.cause instanceof Error ? describeError(error.cause) : undefined,
  }
}
