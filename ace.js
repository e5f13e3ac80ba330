/**
 * Ace without a build step: registers the TypeScript loader, then runs the console entry point.
 */
import '@poppinss/ts-exec'
if (process.env.NODE_ENV !== 'production') {
  const { setEnvironment } = await import('#development/environment')
  await setEnvironment({ besideWorld: true })
}
await import('./bin/console.ts')
