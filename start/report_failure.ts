import { prettyPrintError } from '@adonisjs/core'

/** Says why the service did not start: in production in one plain message, in development with the code around it. */
export async function reportFailure(error: unknown) {
  if (process.env.NODE_ENV !== 'production' || !(error instanceof Error)) {
    await prettyPrintError(error as object)
    return
  }
  const help = 'help' in error && typeof error.help === 'string' ? `\n${error.help}` : ''
  process.stderr.write(`Concierge did not start: ${error.message}${help}\n`)
}
