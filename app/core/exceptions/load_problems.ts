import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import app from '@adonisjs/core/services/app'

/** Completes `problemKinds`: sections declare problems in their `exceptions.ts`. */
export async function loadProblems() {
  const folder = join(fileURLToPath(app.appRoot), 'app')
  for await (const file of glob('**/exceptions.{ts,js}', { cwd: folder })) {
    await import(pathToFileURL(join(folder, file)).href)
  }
  await import('#core/exceptions/problems')
}
