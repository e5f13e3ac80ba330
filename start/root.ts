import { basename, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Where this code runs from: the checkout in development, `build/` in production.
 */
export const APP_ROOT = new URL('../', import.meta.url)

/**
 * The build runs in production unless the environment says otherwise, so that a forgotten NODE_ENV
 * is safe.
 */
if (basename(fileURLToPath(APP_ROOT)) === 'build') process.env.NODE_ENV ||= 'production'

/** Resolves the relative imports of `adonisrc.ts` against the root, as the framework expects. */
export function importFromRoot(filePath: string) {
  if (filePath.startsWith('./') || filePath.startsWith('../')) {
    return import(new URL(filePath, APP_ROOT).href)
  }
  return import(filePath)
}

/** The project's own folder, also when the compiled code runs from `build/`. */
export function projectPath() {
  const root = fileURLToPath(APP_ROOT)
  return basename(root) === 'build' ? dirname(root) : root
}
