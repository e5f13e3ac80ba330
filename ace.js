/**
 * Ace without a build step: registers the TypeScript loader, then runs the console entry point.
 */
import '@poppinss/ts-exec'
await import('./bin/console.ts')
