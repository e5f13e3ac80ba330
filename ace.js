/**
 * Ace without a build step: registers the TypeScript loader, then runs the console entry point.
 */
import '@poppinss/ts-exec'
if (process.env.NODE_ENV !== 'production') {
  const { setEnvironment } = await import('#development/environment')
  const { developmentSettings } = await import('#development/settings')
  await setEnvironment(developmentSettings())
}
await import('./bin/console.ts')
