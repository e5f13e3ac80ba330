import { basename, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The checkout in development, `build/` in production. */
export const APP_ROOT = new URL('../../../', import.meta.url)

/** A forgotten NODE_ENV is safe: the build runs in production. */
if (basename(fileURLToPath(APP_ROOT)) === 'build') process.env.NODE_ENV ||= 'production'

/** Resolves the relative imports of `adonisrc.ts`. */
export function importFromRoot(filePath: string) {
  if (filePath.startsWith('./') || filePath.startsWith('../')) {
    return import(new URL(filePath, APP_ROOT).href)
  }
  return import(filePath)
}

/** The folder of the project, even if the code runs from `build/`. */
export function projectPath() {
  const root = fileURLToPath(APP_ROOT)
  return basename(root) === 'build' ? dirname(root) : root
}
