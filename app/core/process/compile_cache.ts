import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { APP_ROOT } from '#core/process/root'

/**
 * The setting with which Node.js keeps what it compiles for later starts, unless the operator has
 * set it. It keeps it in the build, because whoever can write there can change the code anyway.
 *
 * @param script Any script of the service: only compiled ones are kept
 */
export function compileCacheSettings(env: NodeJS.ProcessEnv, script = import.meta.filename) {
  if (extname(script) !== '.js' || env.NODE_COMPILE_CACHE !== undefined) return {}
  return { NODE_COMPILE_CACHE: fileURLToPath(new URL('compile_cache', APP_ROOT)) }
}
