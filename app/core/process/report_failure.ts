/** Prints why the service did not start: a plain message in production, the source otherwise. */
export async function reportFailure(error: unknown) {
  if (process.env.NODE_ENV !== 'production' || !(error instanceof Error)) {
    const { prettyPrintError } = await import('@adonisjs/core')
    await prettyPrintError(error as object)
    return
  }
  const help = 'help' in error && typeof error.help === 'string' ? `\n${error.help}` : ''
  process.stderr.write(`Concierge did not start: ${error.message}${help}\n`)
}
