import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import app from '@adonisjs/core/services/app'

let loading: Promise<void> | undefined

/**
 * Completes `problemKinds`: sections declare problems in their `exceptions.ts`. Searches for these
 * only once, because that takes far longer than a request should.
 */
export function loadProblems(): Promise<void> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}

async function load() {
  const folder = join(fileURLToPath(app.appRoot), 'app')
  for await (const file of glob('**/exceptions.{ts,js}', { cwd: folder })) {
    await import(pathToFileURL(join(folder, file)).href)
  }
  await import('#core/exceptions/problems')
}
