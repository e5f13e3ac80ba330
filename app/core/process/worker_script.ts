import { extname } from 'node:path'
import { APP_ROOT } from '#core/process/root'

/** A script in `bin/`: JavaScript in a build, else TypeScript. */
export function workerScript(name: string): URL {
  return new URL(`bin/${name}${extname(import.meta.filename)}`, APP_ROOT)
}
